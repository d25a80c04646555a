import { type LookupAddress, type LookupOptions, lookup as systemLookup } from 'node:dns';
import { isReachable } from '../address-rules.ts';

type Answered = (error: Error | null, addresses: string | LookupAddress[], family?: number) => void;

/** As `net.connect` takes it. */
export type Lookup = (hostname: string, options: LookupOptions, callback: Answered) => void;

/** The code of the error with which a name is refused that leads to where nobody may connect. */
export const NOT_ALLOWED = 'ADDRESS_NOT_ALLOWED';

export function notAllowed(): Error {
  return Object.assign(new Error('the address may not be connected to'), { code: NOT_ALLOWED });
}

/**
 * A look-up for one connection. The connection goes to the very addresses that were checked here; a name one of whose
 * addresses is not allowed is not connected to at all.
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
