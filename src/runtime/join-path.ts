// A path below a folder. The hook has no node:path: loading it is a tenth of a millisecond.

/** `name` in `folder`, both as they are: nothing is resolved. */
export function joinPath(folder: string, name: string, platform: NodeJS.Platform = process.platform): string {
  return folder + (platform === 'win32' ? '\\' : '/') + name;
}
