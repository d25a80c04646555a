import type { Site } from '../site.ts';
import type { ConsentChoice, ConsentRequest } from '../state/consent-request.ts';

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function renderPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>${escapeHtml(title)}</title>
    <link rel="stylesheet" href="/page/style/colours.css">
    <link rel="stylesheet" href="/page/style/consent.css">
  </head>
  <body>
    <main class="consent">${body}</main>
  </body>
</html>
`;
}

function renderOption({ holder, person, personName }: ConsentChoice, isChosen: boolean): string {
  return `<option value="${holder} ${person}"${isChosen ? ' selected' : ''}>${escapeHtml(personName)}</option>`;
}

/** The name of an optional scope's checkbox. */
export const getScopeField = (scope: string) => `scope ${scope}`;

function renderOptionalScope(scope: string): string {
  const name = escapeHtml(getScopeField(scope));
  return `<label class="consent-scope"><input type="checkbox" name="${name}" checked> ${escapeHtml(scope)}</label>`;
}

/** Renders the page on which a person approves an installation. It has a list of people, since nobody signs in. */
export function renderConsentPage(
  site: Site,
  request: ConsentRequest,
  choices: readonly ConsentChoice[],
  initialChoice: ConsentChoice | undefined,
): string {
  const name = escapeHtml(site.manifest.name);
  const isOptional = (scope: string) => site.manifest.optionalScopes.includes(scope);
  const scopes = [
    ...request.scopes.filter((scope) => !isOptional(scope)),
    ...request.userScopes.map((scope) => `${scope} (as you)`),
  ];
  const optional = request.scopes.filter(isOptional).map(renderOptionalScope).join('');
  const groups = [...Map.groupBy(choices, ({ holder }) => holder).values()].map((list) => {
    const [{ holder, holderName } = { holder: '', holderName: '' }] = list;
    const label = holder.startsWith('E') ? `All of ${holderName}` : holderName;
    return `<optgroup label="${escapeHtml(label)}">${list.map((choice) => renderOption(choice, choice === initialChoice)).join('')}</optgroup>`;
  });
  return renderPage(
    `Install ${site.manifest.name}`,
    `
      <h1>${name} is requesting access to a workspace</h1>
      <form method="post">
        <label for="choice">Workspace and approver</label>
        <select id="choice" name="choice">${groups.join('')}</select>
        <p>It will be able to:</p>
        <ul>${scopes.map((scope) => `<li>${escapeHtml(scope)}</li>`).join('')}</ul>
        ${optional === '' ? '' : `<fieldset><legend>It can do without:</legend>${optional}</fieldset>`}
        <div class="consent-buttons">
          <button name="answer" value="cancel">Cancel</button>
          <button name="answer" value="allow" class="is-primary">Allow</button>
        </div>
      </form>
    `,
  );
}

/** Renders the page for an invalid request of the app. */
export function renderConsentError(message: string): string {
  return renderPage('Something went wrong', `<h1>Something went wrong</h1><p>${escapeHtml(message)}</p>`);
}
