import { z } from 'zod';
import { namedRecord } from '../../../forms/field.ts';
import { zonedContextSchema } from '../../../forms/form-context.ts';
import { mediaFactsSchema } from '../../../posts/media-reference.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import {
  DEFAULT_POLICY,
  type ProjectPolicy,
  projectPolicySchema,
} from '../../../preferences/project-policy.ts';

export const heldPostSchema = z.object({
  id: z.string(),
  version: z.number(),
  /** Whether its reviewers are asked again after the edit. */
  isReviewedAgain: z.boolean().optional(),
  /** Whether it waits for the review of the person who edits it. */
  isReviewer: z.boolean().optional(),
  /** Whether a reviewer has returned it, so that it goes to its reviewers again unless it stays a draft. */
  isReturned: z.boolean().optional(),
  /** Whether it goes to reviewers unless it stays a draft, for the first time or again. */
  isForReview: z.boolean().optional(),
  /** Whether an edit leaves it unsent, because another service was connected than the one it was written for. */
  isForOtherService: z.boolean().optional(),
  /** The platforms that have their part of the post already. */
  sentTo: z.array(z.string()).optional(),
  /** Those of `sentTo` of which that isn't certain. */
  unsure: z.array(z.string()).optional(),
  /** The publishing time with which the post goes over again at once. ISO 8601. */
  sentAgainFor: z.string().optional(),
});
export type EditedHeldPost = z.infer<typeof heldPostSchema>;

/** A series, the version that somebody edits, and the dates to which the edit applies; see `DateLimits`. */
export const editedSeriesSchema = z.object({
  ...{ id: z.string(), version: z.number() },
  ...{ from: z.number().optional(), before: z.number().optional() },
});
export type EditedSeries = z.infer<typeof editedSeriesSchema>;

/** The moments that the form has shown for a text. */
export const shownMomentsSchema = z.object({
  text: z.string(),
  /** The zone in which the text was parsed. If the text itself names a zone, the moments have the named zone. */
  zone: z.string(),
  moments: z
    // `notes`: assumptions about the moment, in sentences.
    .array(z.object({ instant: z.string(), zone: z.string(), notes: z.array(z.string()) }))
    .min(1),
  /** Assumptions about all moments. */
  notes: z.array(z.string()),
});
export type ShownMoments = z.infer<typeof shownMomentsSchema>;

const chosenTemplateSchema = z.object({
  id: z.string(),
  content: z.string(),
  /** Whether the form has put the template's text into the text fields. */
  isInserted: z.boolean(),
  /** Whether the template's text replaces the text fields, because nobody has changed the previous template's text. */
  replacesText: z.boolean().optional(),
});

/** What the form knows of a file, of the address of one that Upnext has taken, or of a link. */
const knownMediaSchema = z.object({
  /** Slack's id of the uploaded file. Absent for an address that the form was opened with. */
  slackFile: z.string().optional(),
  /** Absent if the file couldn't be taken. */
  address: z.string().optional(),
  facts: mediaFactsSchema.optional(),
  /** Why the file can't be used. Plain text. */
  problem: z.string().optional(),
  /** What seems wrong with a link. Plain text. */
  warning: z.string().optional(),
  /** The file that the post has had before. It stays until the uploaded one is taken. */
  before: z.object({ address: z.string(), facts: mediaFactsSchema }).optional(),
});
export type KnownMedia = z.infer<typeof knownMediaSchema>;

/** The slot that the form has found for its text, project and platforms, or why there is none. */
const foundSlotSchema = z.object({
  /** What it was looked up for. */
  key: z.string(),
  slot: z.object({ instant: z.string(), zone: z.string(), isUnsure: z.boolean().optional() }).optional(),
  note: z.string(),
  problem: z
    .object({ headline: z.string(), advice: z.string(), isOfPolicy: z.boolean().optional() })
    .optional(),
});
export type FoundSlot = z.infer<typeof foundSlotSchema>;

/** The platforms of the latest post of the chosen project, which the form prefills. */
const lastPlatformsSchema = z.object({
  project: z.string(),
  platforms: z.array(z.string()),
  /** The platforms that the form has prefilled for the project that was chosen before. */
  replaced: z.array(z.string()),
  isPrefilled: z.boolean(),
});
export type LastPlatforms = z.infer<typeof lastPlatformsSchema>;

/** What a typed line may mean instead. */
const lineOfferSchema = z.object({
  /** The text of the form, as long as nobody has changed it. */
  line: z.string(),
  text: z.string(),
  when: z.string(),
  platforms: z.array(z.string()),
  isDraft: z.boolean(),
  /** Words that were left out of the text, if the offer only adds them to it. */
  adds: z.string().optional(),
});
export type LineOffer = z.infer<typeof lineOfferSchema>;

/** The settings of a project's policy that the form shows. */
const formPolicySchema = projectPolicySchema.pick({
  leadMinutes: true,
  review: true,
  seriesReview: true,
  postingTimes: true,
  blackouts: true,
  xAccount: true,
});
type FormPolicy = z.infer<typeof formPolicySchema>;

/** What the form of a post knows besides its values. It is stored with the form. */
export const postFormContextSchema = zonedContextSchema.extend({
  /** The most recently shown moments. Stored so that the same text keeps its meaning as time passes. */
  shownMoments: shownMomentsSchema.optional(),
  /** The fields of media and options that the form shows. A shown field stays, even if its value is deleted. */
  shownOptions: z.array(z.string()).optional(),
  /** The project that the form was opened for. It's an option then; otherwise people choose the project first. */
  givenProject: namedRecord.optional(),
  /** The end of a text from elsewhere that doesn't fit into the text fields. Nothing is sent until it is left out. */
  excessText: z.string().optional(),
  /** The number of text fields that the author has requested with [Add text field]. */
  textFieldCount: z.number().optional(),
  /** The workspace's custom emoji in the text, without colons; absent if Slack didn't list the workspace's emoji. */
  customEmoji: z.array(z.string()).optional(),
  template: chosenTemplateSchema.optional(),
  /** The placeholders of the chosen template that the form has fields for, in the order of the fields. */
  placeholders: z.array(z.string()).optional(),
  /** The posts of a project near the chosen times; absent without a time. `isUnchecked`: there may be others. */
  nearbyPosts: z
    .object({
      project: z.string(),
      isUnchecked: z.boolean().optional(),
      posts: z.array(
        z.object({
          instant: z.string(),
          platforms: z.array(z.string()),
          /** Platforms that may refuse it there, because the form has the same text for them. */
          repeatsOn: z.array(z.string()),
        }),
      ),
    })
    .optional(),
  /** Absent if the form doesn't prefill platforms. */
  lastPlatforms: lastPlatformsSchema.optional(),
  /** Whether the actor may save drafts in the chosen project, but not schedule posts. */
  isDraftOnly: z.boolean().optional(),
  /** Whether "Scheduled" asks the project's reviewers, because the actor may not schedule posts without them. */
  asksForReview: z.boolean().optional(),
  /** Whether "Draft" replaced "Scheduled" because of `isDraftOnly`. */
  isDraftForced: z.boolean().optional(),
  lineOffer: lineOfferSchema.optional(),
  /** Notes about the initial values. Plain text. */
  notes: z.array(z.string()).optional(),
  /** The id of the draft that is being copied. */
  draft: z.string().optional(),
  /** The held post that is being edited, and the version that the form shows. */
  heldPost: heldPostSchema.optional(),
  series: editedSeriesSchema.optional(),
  policies: z.record(z.string(), formPolicySchema).optional(),
  /** The slot that was looked up for the text of the time. */
  slot: foundSlotSchema.optional(),
  /** The ids of the projects for which sending is stopped. */
  stoppedProjects: z.array(z.string()).optional(),
  /** Whether the form says that the built-in service publishes nothing: the first one that a person opens. */
  isFirstPractice: z.boolean().optional(),
  /** Whether Upnext has an address from which the service can fetch files. */
  takesFiles: z.boolean().optional(),
  media: knownMediaSchema.optional(),
  /** Whether the actor may change the policy of the chosen project. */
  mayChangePolicy: z.boolean().optional(),
});
export type PostFormContext = z.infer<typeof postFormContextSchema>;

export function toFormPolicies(policies: ReadonlyMap<string, ProjectPolicy>): PostFormContext['policies'] {
  return Object.fromEntries(
    [...policies].map(([project, policy]) => [project, formPolicySchema.parse(policy)]),
  );
}

/** Finds the policy of the form's project. Without one, and without a project, it is the default. */
export function findFormPolicy(state: {
  values: { project?: { id: string } | undefined };
  formContext: Pick<PostFormContext, 'policies'>;
}): FormPolicy {
  return state.formContext.policies?.[state.values.project?.id ?? ''] ?? DEFAULT_POLICY;
}

/** Says which platforms have the post already, or may have it; plain text. */
export function renderSentTo(
  sentTo: readonly string[],
  { unsure = [] }: Pick<EditedHeldPost, 'unsure'>,
): string {
  const sent = sentTo.filter((platform) => !unsure.includes(platform));
  const uncertain = sentTo.filter((platform) => unsure.includes(platform));
  const verb = sent.length === 1 ? 'has' : 'have';
  return [
    ...(sent.length > 0 ? [`${renderPlatformNames(sent)} already ${verb} this post.`] : []),
    ...(uncertain.length > 0 ? [`${renderPlatformNames(uncertain)} may have this post.`] : []),
  ].join(' ');
}
