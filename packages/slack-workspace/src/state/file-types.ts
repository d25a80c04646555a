interface FileType {
  /** Slack's name of the type, in the field of the same name. */
  filetype: string;
  mimetype: string;
  prettyType: string;
}

/** Extension → type (docs.slack.dev, "File types"). A selection of common types. */
const FILE_TYPES: Readonly<Record<string, FileType>> = {
  png: { filetype: 'png', mimetype: 'image/png', prettyType: 'PNG' },
  jpg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  jpeg: { filetype: 'jpg', mimetype: 'image/jpeg', prettyType: 'JPEG' },
  gif: { filetype: 'gif', mimetype: 'image/gif', prettyType: 'GIF' },
  webp: { filetype: 'webp', mimetype: 'image/webp', prettyType: 'WebP' },
  svg: { filetype: 'svg', mimetype: 'image/svg+xml', prettyType: 'SVG' },
  mp4: { filetype: 'mp4', mimetype: 'video/mp4', prettyType: 'MPEG 4 Video' },
  mov: { filetype: 'mov', mimetype: 'video/quicktime', prettyType: 'QuickTime Movie' },
  pdf: { filetype: 'pdf', mimetype: 'application/pdf', prettyType: 'PDF' },
  csv: { filetype: 'csv', mimetype: 'text/csv', prettyType: 'CSV' },
  json: { filetype: 'json', mimetype: 'application/json', prettyType: 'JSON' },
  md: { filetype: 'markdown', mimetype: 'text/markdown', prettyType: 'Markdown' },
  txt: { filetype: 'text', mimetype: 'text/plain', prettyType: 'Plain Text' },
  ics: { filetype: 'calendar', mimetype: 'text/calendar', prettyType: 'Calendar' },
  zip: { filetype: 'zip', mimetype: 'application/zip', prettyType: 'Zip' },
};
const BINARY: FileType = { filetype: 'binary', mimetype: 'application/octet-stream', prettyType: 'Binary' };

/** The extension of a file name in lower case, without the dot. Empty without one. */
export function getExtension(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

export function findFileType(name: string): FileType {
  const extension = getExtension(name);
  return Object.hasOwn(FILE_TYPES, extension) ? (FILE_TYPES[extension] ?? BINARY) : BINARY;
}
