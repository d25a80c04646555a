import { useId, useState } from 'preact/hooks';
import { Dialog } from './dialog.js';
import { html } from './html.js';

/** Classes of icons beside a text, which are too small to enlarge. */
const ICON_CLASSES = ['image-context', 'card-icon', 'video-picture'];

/**
 * A picture from an app. A press enlarges it, unless it is an icon beside a text. A picture that the browser can't load
 * is replaced by its description.
 * @param {{ of: { image_url?: string, slack_file?: { url?: string, id?: string }, alt_text: string }, class: string }} props
 */
export function Picture({ of, class: name }) {
  const url = of.slack_file === undefined ? of.image_url : getFileUrl(of.slack_file);
  const [brokenUrl, setBrokenUrl] = useState(/** @type {string | undefined} */ (undefined));
  if (url === undefined || url === brokenUrl || !/^(?:https?:|data:image\/|\/)/i.test(url)) {
    return html`<span class="not-drawn">Picture: ${of.alt_text}</span>`;
  }
  const picture = html`<img
    class=${name}
    src=${url}
    alt=${of.alt_text}
    loading="lazy"
    onError=${() => setBrokenUrl(url)}
  />`;
  return ICON_CLASSES.includes(name)
    ? picture
    : html`<${Enlargeable} url=${url} alt=${of.alt_text}>${picture}<//>`;
}

/**
 * A picture as a button that shows the picture as large as the screen allows.
 * @param {{ url: string, alt: string, children: import('preact').ComponentChildren }} props
 */
export function Enlargeable({ url, alt, children }) {
  const [isOpen, setOpen] = useState(false);
  return html`<button
      type="button"
      class="picture-button"
      aria-haspopup="dialog"
      aria-label=${`Enlarge picture: ${alt}`}
      onClick=${() => setOpen(true)}
    >
      ${children}
    </button>
    ${isOpen ? html`<${LargePicture} url=${url} alt=${alt} onClose=${() => setOpen(false)} />` : null}`;
}

/**
 * The picture over the whole page with its description. A press anywhere closes it.
 * @param {{ url: string, alt: string, onClose: () => void }} props
 */
function LargePicture({ url, alt, onClose }) {
  const title = useId();
  /** @param {Event} event */
  const close = (event) => {
    event.stopPropagation();
    onClose();
  };
  // Escape closes only the picture, not the thread or panel around it.
  const keepEscape = (/** @type {KeyboardEvent} */ event) =>
    event.key === 'Escape' && event.stopPropagation();
  return html`<${Dialog} class="large-picture" labelledBy=${title} onClose=${onClose}>
    <figure class="dialog-body large-picture-body" onClick=${close} onKeyDown=${keepEscape}>
      <img src=${url} alt=${alt} />
      <figcaption id=${title}>${alt}</figcaption>
      <button type="button" class="icon-button" data-first="true" aria-label="Close" onClick=${close}>×</button>
    </figure>
  <//>`;
}

/**
 * A file of the workspace, by id or by its address. The page has no token for the address.
 * @param {{ url?: string, id?: string }} file
 */
const getFileUrl = ({ id, url }) =>
  `/page/slack-file?${new URLSearchParams(id === undefined ? { url: url ?? '' } : { id })}`;
