/** An element with properties and children; texts are texts, never markup. */
export function element(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties;
  const made = Object.assign(document.createElement(tag), rest);
  Object.assign(made.dataset, data);
  made.append(...children);
  return made;
}

/** Keeps the end of a scrolled box in sight while `change` adds to it, unless the reader has scrolled up. */
export function appending(box, change) {
  const atEnd = box.scrollHeight - box.scrollTop - box.clientHeight < 48;
  change();
  if (atEnd) box.scrollTop = box.scrollHeight;
}
