import { grantAccess, installApp, revokeAccess } from '../interactions/installation.ts';
import type { Person } from '../protocol.ts';
import type { Site } from '../site.ts';
import { findValidGrants } from '../state/grants.ts';
import { makeId } from '../state/ids.ts';
import { buildDomain, createTeam } from '../state/new-team.ts';
import type { Organisation } from '../state/saved-state.ts';
import { Admin, type NewPerson, newPerson } from './admin.ts';
import { Team } from './team.ts';

interface NewTeam {
  name: string;
  /** The first person's role defaults to owner. People with an `id` are the same in several workspaces. */
  people: readonly (NewPerson & { id?: string })[];
  /** Names of channels, with everybody except the app in them. Defaults to `#general`. */
  channels?: readonly string[];
  /** Whether the app is installed already. Defaults to false. */
  installed?: boolean;
}

/** The owners of the first workspace, who can also add workspaces and organisations. */
export class SlackAdmin extends Admin {
  readonly #first: Site;

  constructor(first: Site) {
    super(first);
    this.#first = first;
  }

  /** Adds a workspace. */
  addTeam(about: NewTeam): Team {
    const site = this.#open(about, undefined);
    if (about.installed === true) this.#install(site.state.team.id, site);
    return new Team(site);
  }

  /** Adds an organisation with new workspaces (Enterprise Grid). `installed` installs the app for all of them. */
  addOrganisation(about: { name: string; teams: readonly NewTeam[]; installed?: boolean }) {
    const { slack } = this.#first;
    const { name } = about;
    const organisation: Organisation = {
      id: makeId('E'),
      name,
      domain: buildDomain(name),
      botId: makeId('B'),
      botUserId: makeId('U'),
    };
    slack.organisations.push(organisation);
    const sites = about.teams.map((team) => ({ team, site: this.#open(team, organisation.id) }));
    for (const { team, site } of sites) if (team.installed === true) this.#install(site.state.team.id, site);
    const [first] = sites;
    if (about.installed === true && first) this.#install(organisation.id, first.site);
    const findSite = (team: Team): Site => {
      const found = sites.find(({ site }) => site.state.team.id === team.id);
      if (!found) throw new Error(`${team.name} does not belong to ${name}`);
      return found.site;
    };
    return {
      /** `E…` */
      id: organisation.id,
      teams: sites.map(({ site }) => new Team(site)),
      /** The app's token for the whole organisation. Throws if the app isn't installed for all of it. */
      botToken() {
        const [grant] = findValidGrants(slack, organisation.id, sites[0]?.site.now() ?? 0).filter(
          ({ kind }) => kind === 'bot',
        );
        if (!grant) throw new Error(`The app is not installed in all of ${name}`);
        return grant.token;
      },
      /** Installs the organisation's app in one of its workspaces, and sends `team_access_granted`. */
      grantAccess: (team: Team) => grantAccess([findSite(team)], organisation),
      /** Removes the app from a workspace, and sends `team_access_revoked`. */
      revokeAccess: (team: Team) => revokeAccess(findSite(team)),
    };
  }

  #open(about: NewTeam, organisation: string | undefined): Site {
    const people = about.people.map(({ id, ...person }, index): Person => {
      const { role = index === 0 ? 'owner' : 'member' } = person;
      const created = newPerson({ ...person, role }, index);
      return { ...created, id: id ?? created.id };
    });
    const members = people.map(({ id }) => id);
    const channels = (about.channels ?? ['#general']).map((name) => ({
      id: makeId('C'),
      name: name.replace(/^#/, ''),
      kind: 'public' as const,
      topic: '',
      members,
    }));
    const { name } = about;
    const more = organisation === undefined ? {} : { organisation };
    return this.#first.slack.open(createTeam({ name, people, channels, ...more }, this.#first.now()));
  }

  #install(holder: string, { slack, manifest, state }: Site): void {
    const teams = slack.sites.filter((site) => site.state.team.organisation === holder);
    const consent = {
      holder,
      person: state.people[0]?.id ?? '',
      teams: teams.map((site) => site.state.team.id),
      scopes: manifest.scopes ?? ['commands'],
      userScopes: [],
      redirectUri: '',
      hasRedirectUri: false,
    };
    installApp(this.#first, consent);
  }
}
