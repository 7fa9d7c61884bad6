/** The profile of runs that name none: every builtin a new profile has (PF-06), and what this runtime registered. */

/** The builtins of a new profile, in its order. Those of chats are left out by the core where there is no chat. */
const BUILTINS = [
  "chat.search",
  "chat.read_messages",
  "worldinfo.read_activated",
  "dice.roll",
  "workspace.list_files",
  "workspace.search_files",
  "workspace.read_file",
  "workspace.write_file",
  "workspace.apply_patch",
  "workspace.shell",
  "workspace.commit",
  "workspace.finish",
];

/** A profile for one run; it is not kept. Registering a tool changes no profile that is (XT-10). */
export function defaultProfile(registered: Iterable<string>, reviewer: boolean): { readonly [member: string]: unknown } {
  return {
    schemaVersion: 5,
    kind: "handrail.agentProfile",
    id: "default",
    displayName: "Default",
    tools: { allow: [...BUILTINS.map((native) => `builtin:${native}`), ...registered] },
    permissions: { reviewer },
  };
}
