import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from './ids.ts';

/** What a person allowed, for the app to fetch. */
export interface Consent {
  person: string;
  /** The workspace or organisation that it is installed in. */
  holder: string;
  /** Of an organisation: the workspaces that get the app. */
  teams: readonly string[];
  scopes: readonly string[];
  userScopes: readonly string[];
  /** Where the person was sent back to, and whether the app had named that address. */
  redirectUri: string;
  hasRedirectUri: boolean;
}

/** Made → exchanged once → refused as used; made → ten minutes later refused. */
export class OAuthCodes {
  readonly #now: () => number;
  readonly #codes = new Map<string, { consent: Consent; madeAt: number; used: boolean }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  make(consent: Consent): string {
    const code = `${makeSecret(6)}.${makeSecret(6)}.${makeSecret(32)}`;
    this.#codes.set(code, { consent, madeAt: this.#now(), used: false });
    return code;
  }

  /** Uses it up, also where the address turns out to be another one. */
  exchange(code: string, redirectUri: string | undefined): Consent {
    const found = this.#codes.get(code);
    if (!found || this.#now() - found.madeAt > SLACK_LIMITS.oauthCodeMs.value)
      throw new Refusal('invalid_code');
    // Not documented, and met by many (omniauth-slack #54).
    if (found.used) throw new Refusal('code_already_used');
    found.used = true;
    const { consent } = found;
    const named = redirectUri ?? (consent.hasRedirectUri ? '' : consent.redirectUri);
    if (named !== consent.redirectUri) throw new Refusal('bad_redirect_uri');
    return consent;
  }
}
