import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { allowAddress } from './address.ts';
import { Dialog } from './dialog.ts';
import { html } from './html.ts';
import { CloseButton } from './icon.ts';

/** Classes of small pictures, which can't be enlarged. */
const ICON_CLASSES = ['image-context', 'card-icon', 'video-picture'];

/**
 * A picture from an app. A press enlarges it, unless it is an icon. If the browser can't load it, its alternative text
 * is shown.
 */
export function Picture({
  image,
  class: name,
}: {
  image: { image_url?: string; slack_file?: { url?: string; id?: string }; alt_text: string };
  class: string;
}) {
  const url = allowAddress(image.slack_file === undefined ? image.image_url : getFileUrl(image.slack_file));
  const [brokenUrl, setBrokenUrl] = useState<string | undefined>(undefined);
  if (url === undefined || url === brokenUrl) {
    return html`<span class="not-rendered quiet">Picture: ${image.alt_text}</span>`;
  }
  const picture = html`<img
    class=${name}
    src=${allowAddress(url)}
    alt=${image.alt_text}
    loading="lazy"
    onError=${() => setBrokenUrl(url)}
  />`;
  return ICON_CLASSES.includes(name)
    ? picture
    : html`<${Enlargeable} url=${url} alt=${image.alt_text}>${picture}<//>`;
}

type EnlargeableProps = { url: string; alt: string; children: ComponentChildren };

/** A button that shows its picture enlarged. */
export function Enlargeable({ url, alt, children }: EnlargeableProps) {
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

/** The enlarged picture with its alternative text. A press anywhere closes it. */
function LargePicture({ url, alt, onClose }: { url: string; alt: string; onClose: () => void }) {
  const title = useId();
  const close = (event: Event) => {
    event.stopPropagation();
    onClose();
  };
  return html`<${Dialog} class="large-picture" labelledBy=${title} onClose=${onClose}>
    <figure class="dialog-body large-picture-body" onClick=${close}>
      <img src=${allowAddress(url)} alt=${alt} />
      <figcaption id=${title}>${alt}</figcaption>
      <${CloseButton} label="Close" data-first="true" onClick=${close} />
    </figure>
  <//>`;
}

/** The page's address of a workspace file. Slack's own address needs a token, which the page doesn't have. */
const getFileUrl = ({ id, url }: { url?: string; id?: string }) =>
  `/page/slack-file?${new URLSearchParams(id === undefined ? { url: url ?? '' } : { id })}`;
