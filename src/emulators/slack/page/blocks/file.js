import { html } from '../html.js';

/**
 * A remote file. The block has only its id.
 * @param {{ block: import('@slack/types').FileBlock }} props
 */
export function RemoteFile({ block }) {
  return html`<p class="file"><span class="file-icon" aria-hidden="true"></span><span>
    <span class="file-name">${block.external_id}</span><span class="file-details">Remote file</span>
  </span></p>`;
}
