import { html } from './html.js';

/**
 * @param {{ of: { image_url?: string, slack_file?: { url?: string, id?: string }, alt_text: string }, class: string }} props
 */
export function Picture({ of, class: name }) {
  const url = of.image_url ?? of.slack_file?.url;
  if (url === undefined || !/^(?:https?:|data:image\/|\/)/i.test(url)) {
    return html`<span class="not-drawn">Picture: ${of.alt_text}</span>`;
  }
  return html`<img class=${name} src=${url} alt=${of.alt_text} loading="lazy" />`;
}
