// A table as CSV (RFC 4180, line feeds), handed over as a file.

/** A text that a spreadsheet would take for a formula gets a quote before it. */
const harmless = (text: string): string => (/^[=+\-@\t]/.test(text) ? `'${text}` : text);

const cell = (value: string | number): string => {
  const text = typeof value === 'number' ? String(value) : harmless(value);
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

export const toCsv = (lines: readonly (readonly (string | number)[])[]): string =>
  `${lines.map((line) => line.map(cell).join(',')).join('\n')}\n`;

/** Lets the browser save it. */
export function saveFile(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/csv' }));
  const link = Object.assign(document.createElement('a'), { href: address, download: name });
  link.click();
  URL.revokeObjectURL(address);
}
