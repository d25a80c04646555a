import { replaceEmojiCodes } from '../emoji.js';
import { html } from '../html.js';
import { renderLink } from '../mrkdwn.js';
import { Picture } from '../picture.js';

/**
 * The thumbnail of a video. A press opens the video in a new tab, because the page doesn't embed other sites.
 * @param {{ block: import('@slack/types').VideoBlock }} props
 */
export function Video({ block }) {
  const { title, title_url, author_name, provider_name, provider_icon_url, description } = block;
  const credits = [provider_name, author_name].filter(Boolean).join(' · ');
  const name = replaceEmojiCodes(title.text);
  const thumbnail = { image_url: block.thumbnail_url, alt_text: block.alt_text };
  return html`<div class="video">
    ${
      credits === ''
        ? null
        : html`<p class="video-credits">
            ${provider_icon_url ? html`<${Picture} image=${{ image_url: provider_icon_url, alt_text: '' }} class="image-context" />` : null}
            ${credits}
          </p>`
    }
    <p class="video-title">${isWebUrl(title_url) ? renderLink(title_url, name) : name}</p>
    ${description ? html`<p class="video-description">${replaceEmojiCodes(description.text)}</p>` : null}
    <div class="video-frame">
      <${Picture} image=${thumbnail} class="video-picture" />
      ${
        isWebUrl(block.video_url)
          ? html`<a class="video-play" href=${block.video_url} target="_blank" rel="noopener noreferrer">
              <span class="sr-only">Play ${name}</span>
            </a>`
          : null
      }
    </div>
  </div>`;
}

/**
 * @param {string | undefined} url
 * @returns {url is string}
 */
const isWebUrl = (url) => url !== undefined && /^https?:/i.test(url);
