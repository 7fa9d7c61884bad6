(native, require) => ({})
