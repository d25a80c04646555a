import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isAllowedAddress } from '../address-rules.ts';

type Callback = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/** The type of the `lookup` option of `net.connect`. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Callback) => void;

/** Error code for an address to which connections aren't allowed. */
export const ADDRESS_NOT_ALLOWED = 'ADDRESS_NOT_ALLOWED';

export function createNotAllowedError(): Error {
  return Object.assign(new Error('connections to this address are not allowed'), {
    code: ADDRESS_NOT_ALLOWED,
  });
}

/**
 * Creates a DNS lookup for connections. It returns only checked addresses, so a connection can't use an unchecked one.
 * Fails with ADDRESS_NOT_ALLOWED if any address of the name isn't allowed.
 */
export function createCheckedLookup(options: { allowPrivate: boolean; lookup?: Lookup | undefined }): Lookup {
  const { allowPrivate, lookup = systemLookup } = options;
  return (hostname, lookupOptions, callback) => {
    lookup(hostname, { ...lookupOptions, all: true }, (error, result) => {
      if (error) return callback(error, []);
      const addresses = typeof result === 'string' ? [] : result;
      const [firstAddress] = addresses;
      if (!firstAddress || !addresses.every(({ address }) => isAllowedAddress(address, allowPrivate))) {
        return callback(createNotAllowedError(), []);
      }
      if (lookupOptions.all) return callback(null, addresses);
      return callback(null, firstAddress.address, firstAddress.family);
    });
  };
}
