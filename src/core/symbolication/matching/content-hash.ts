export function hasContentHash(name = ""): boolean { return /[\da-f]{8}/.test(name); }
