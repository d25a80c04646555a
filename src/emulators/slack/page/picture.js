import { html } from './html.js';

/**
 * @param {{ of: { image_url?: string, slack_file?: { url?: string, id?: string }, alt_text: string }, class: string }} props
 */
export function Picture({ of, class: name }) {
  const url = of.slack_file === undefined ? of.image_url : addressOf(of.slack_file);
  if (url === undefined || !/^(?:https?:|data:image\/|\/)/i.test(url)) {
    return html`<span class="not-drawn">Picture: ${of.alt_text}</span>`;
  }
  return html`<img class=${name} src=${url} alt=${of.alt_text} loading="lazy" />`;
}

/**
 * A file of the workspace, by id or by its address there; the page itself has no token for the latter.
 * @param {{ url?: string, id?: string }} file
 */
const addressOf = ({ id, url }) =>
  `/page/slack-file?${new URLSearchParams(id === undefined ? { url: url ?? '' } : { id })}`;
