import type { Site } from '../site.ts';
import type { ConsentChoice, ConsentRequest } from '../state/consent-request.ts';

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function page(title: string, body: string): string {
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

function option({ holder, person, personName }: ConsentChoice, chosen: boolean): string {
  return `<option value="${holder} ${person}"${chosen ? ' selected' : ''}>${escapeHtml(personName)}</option>`;
}

/** The name of the field that says whether an optional scope is given. */
export const scopeField = (scope: string) => `scope ${scope}`;

function optionalScope(scope: string): string {
  const name = escapeHtml(scopeField(scope));
  return `<label class="consent-scope"><input type="checkbox" name="${name}" checked> ${escapeHtml(scope)}</label>`;
}

/** Who acts is asked for, for nobody signs in here; `as` is a handle, a name or an id to begin with. */
export function consentPage(
  site: Site,
  request: ConsentRequest,
  choices: readonly ConsentChoice[],
  first: ConsentChoice | undefined,
): string {
  const name = escapeHtml(site.manifest.name);
  const isOptional = (scope: string) => site.manifest.optionalScopes.includes(scope);
  const scopes = [
    ...request.scopes.filter((scope) => !isOptional(scope)),
    ...request.userScopes.map((scope) => `${scope} (as you)`),
  ];
  const optional = request.scopes.filter(isOptional).map(optionalScope).join('');
  const groups = [...Map.groupBy(choices, ({ holder }) => holder).values()].map((list) => {
    const [{ holder, holderName } = { holder: '', holderName: '' }] = list;
    const label = holder.startsWith('E') ? `All of ${holderName}` : holderName;
    return `<optgroup label="${escapeHtml(label)}">${list.map((choice) => option(choice, choice === first)).join('')}</optgroup>`;
  });
  return page(
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

/** What Slack shows instead where an app asks wrongly. */
export function consentErrorPage(description: string): string {
  return page('Something went wrong', `<h1>Something went wrong</h1><p>${escapeHtml(description)}</p>`);
}
