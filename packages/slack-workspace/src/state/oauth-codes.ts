import { Refusal } from '../refusal.ts';
import { SLACK_LIMITS } from '../rules/slack-limits.ts';
import { makeSecret } from './ids.ts';

/** The rights that a person allowed, which the app gets for its code. */
export interface Consent {
  /** The app's client id. */
  client: string;
  person: string;
  /** The workspace or organisation in which the app is installed: `T…`, `E…`. */
  holder: string;
  /** For an organisation: the workspaces that get the app. */
  teams: readonly string[];
  scopes: readonly string[];
  userScopes: readonly string[];
  /** The address of the redirect, and whether the app's request contained it. */
  redirectUri: string;
  hasRedirectUri: boolean;
}

/** Codes of the OAuth flow. A code can be exchanged once, within ten minutes. */
export class OAuthCodes {
  readonly #now: () => number;
  readonly #codes = new Map<string, { consent: Consent; madeAt: number; isUsed: boolean }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  make(consent: Consent): string {
    const code = `${makeSecret(6)}.${makeSecret(6)}.${makeSecret(32)}`;
    this.#codes.set(code, { consent, madeAt: this.#now(), isUsed: false });
    return code;
  }

  /** Exchanges a code. It is used then, even if the redirect_uri is wrong. Throws the errors of oauth.v2.access. */
  exchange(client: string, code: string, redirectUri: string | undefined): Consent {
    const found = this.#codes.get(code);
    const isValid = found && this.#now() - found.madeAt <= SLACK_LIMITS.oauthCodeMs.value;
    if (!isValid || found.consent.client !== client) throw new Refusal('invalid_code');
    // This error isn't documented (omniauth-slack #54).
    if (found.isUsed) throw new Refusal('code_already_used');
    found.isUsed = true;
    const { consent } = found;
    const expected = redirectUri ?? (consent.hasRedirectUri ? '' : consent.redirectUri);
    if (expected !== consent.redirectUri) throw new Refusal('bad_redirect_uri');
    return consent;
  }
}
