import { html } from '../html.js';

/**
 * A file on another server. Only its id is known here.
 * @param {{ block: import('@slack/types').FileBlock }} props
 */
export function RemoteFile({ block }) {
  return html`<p class="file"><span class="file-sign" aria-hidden="true"></span><span>
    <span class="file-name">${block.external_id}</span><span class="file-about">File from elsewhere</span>
  </span></p>`;
}
