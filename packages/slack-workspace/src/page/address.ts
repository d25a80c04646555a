/** Allowed schemes of links. Other addresses, such as `javascript:…`, are shown as text. */
const LINK_SCHEME = /^(?:https?:\/\/|mailto:|tel:|slack:\/\/)/i;

/** Pictures in the text of an address, and paths of this server. */
const OWN_ADDRESS = /^(?:data:image\/|\/)/i;

export const isLink = (url: string) => LINK_SCHEME.test(url);

export const isWebUrl = (url: string | undefined): url is string =>
  url !== undefined && /^https?:/i.test(url);

/**
 * Returns the address if a link or picture of the page may have it. Everything that becomes an `href` or `src` goes
 * through this function, because apps choose most of these addresses.
 */
export function allowAddress(url: string | undefined): string | undefined {
  return url !== undefined && (isLink(url) || OWN_ADDRESS.test(url)) ? url : undefined;
}
