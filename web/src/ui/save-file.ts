/** Downloads `file` under the given name. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  // Some browsers read the URL only after click() has returned.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
