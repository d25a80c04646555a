import { formatFileSize } from './file-size.js';
import { html } from './html.js';
import { Enlargeable } from './picture.js';

/** @import { FileEntry } from '../protocol.ts' */

/**
 * The files of a message: pictures, and links to other files.
 * @param {{ files: readonly FileEntry[] }} props
 */
export function Files({ files }) {
  return html`<div class="files">${files.map((file) => html`<${File} key=${file.id} file=${file} />`)}</div>`;
}

/** @param {{ file: FileEntry }} props */
function File({ file }) {
  const { name, title, mimetype, size, url, altText } = file;
  if (mimetype.startsWith('image/')) {
    return html`<figure class="image-block">
      <figcaption>${title}</figcaption>
      <${Enlargeable} url=${url} alt=${altText ?? title}>
        <img class="image-large" src=${url} alt=${altText ?? title} loading="lazy" />
      <//>
    </figure>`;
  }
  return html`<p class="file">
    <span class="file-icon" aria-hidden="true"></span>
    <span>
      <a class="file-name" href=${`${url}&download`} download=${name}>${title}</a>
      <span class="file-details">${[name, formatFileSize(size)].join(' · ')}</span>
    </span>
  </p>`;
}
