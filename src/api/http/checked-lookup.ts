import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isReachable } from '../address-rules.ts';

type Callback = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/** The type of the `lookup` option of `net.connect`. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void;

/** Error code for an address to which connections aren't allowed. */
export const NOT_ALLOWED = 'ADDRESS_NOT_ALLOWED';

export function notAllowed(): Error {
  return Object.assign(new Error('connections to this address are not allowed'), { code: NOT_ALLOWED });
}

/**
 * A DNS lookup for one connection that returns only checked addresses, so the connection can't use any other. Fails
 * with NOT_ALLOWED if any address of the name isn't allowed.
 */
export function checkedLookup(options: { allowPrivate: boolean; lookup?: Lookup | undefined }): Lookup {
  const { allowPrivate, lookup = systemLookup } = options;
  return (hostname, asked, callback) => {
    lookup(hostname, { ...asked, all: true }, (error, found) => {
      if (error) return callback(error, []);
      const addresses = typeof found === 'string' ? [] : found;
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isReachable(address, allowPrivate))) {
        return callback(notAllowed(), []);
      }
      if (asked.all) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}
