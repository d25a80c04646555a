import { z } from 'zod';
import type { ActionCall, Call, OpenView, SubmissionCall } from '../handlers/call.ts';
import type { ViewValues } from '../slack/interaction-values.ts';
import type { Companion } from '../submissions/sql/submissions.ts';
import {
  type BlockVersions,
  buildBlockId,
  computeInitialValues,
  type Fields,
  type FormValues,
  findChosenProject,
  hasValidTypes,
  incrementBlockVersions,
  isInput,
  isOptional,
  namedRecord,
  parseBlockVersions,
} from './field.ts';
import type { CheckResult, Form, FormChange, FormState, Selected } from './form.ts';
import type { FormContext } from './form-context.ts';
import { prepareSealedChange } from './sealed-store.ts';
import {
  changeStoredForm,
  endTyped,
  getTypedAt,
  isOutdated,
  isSame,
  keepTyped,
  type OpenedForm,
  parseFormId,
  readOpenedForm,
  type StoredForm,
  toSubmittedAt,
} from './stored-form.ts';

/** An open form: the state that Slack sent, and the stored form. */
interface CurrentForm<F extends Fields = Fields, Context extends FormContext = FormContext> {
  formId: string;
  blockVersions: BlockVersions;
  stored: StoredForm;
  state: FormState<F, Context>;
  hiddenFields: readonly string[];
}

/**
 * Reads a form as Slack sent it. Undefined if the form can't be submitted, because it has another version, belongs to
 * another person, or lacks a block. Throws if the person may no longer open the form for a chosen project.
 */
export async function readCurrentForm<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  view: OpenView,
): Promise<CurrentForm<F, Context> | undefined> {
  const opened = await readOpenedForm(form, call, view.metadata);
  return opened && readShownForm(form, call, view, opened);
}

async function readShownForm<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  call: Call,
  view: OpenView,
  { formId, stored, formContext }: OpenedForm<Context>,
  { isSubmitted = false }: { isSubmitted?: boolean } = {},
): Promise<CurrentForm<F, Context> | undefined> {
  const { values: shownValues, blockVersions } = readView(form.fields, view, formContext);
  if (
    !hasExpectedBlocks(form, view.values, blockVersions, formContext) ||
    !hasValidTypes(form.fields, shownValues)
  )
    return undefined;
  const hiddenFields = (form.hideableFields ?? []).filter(
    (name) => !Object.hasOwn(view.values, buildBlockId(name, blockVersions)),
  );
  const shownState = { values: shownValues, formContext, now: call.now() };
  const keptValues = keepHiddenValues(form, stored, { shownState, hiddenFields, isSubmitted });
  if (!keptValues) return undefined;
  const values = { ...keptValues, ...form.computeHiddenValues?.(hiddenFields, shownState) };
  await checkProjectPermissions(form.fields, call, values);
  return { formId, blockVersions, stored, hiddenFields, state: { ...shownState, values } };
}

/**
 * Adds the latest values of the fields that a view omits. A submission has those of fields that its state hides:
 * another field is empty, because nobody has seen its value. Undefined if a stored value has another type now.
 */
function keepHiddenValues<F extends Fields, Context extends FormContext, Content>(
  form: Form<F, Context, Content>,
  { latestValues = {} }: StoredForm,
  shown: { shownState: FormState<F, Context>; hiddenFields: readonly string[]; isSubmitted: boolean },
): FormValues<F> | undefined {
  const { shownState, hiddenFields, isSubmitted } = shown;
  if (!form.keepsHiddenValues) return shownState.values;
  // A field that is shown as a text has no value.
  const inputs = hiddenFields.filter((name) => isInput(form.fields[name], shownState.formContext));
  const addValues = (names: readonly string[]) => {
    const kept = Object.entries(latestValues).filter(([name]) => names.includes(name));
    const values = { ...shownState.values, ...Object.fromEntries(kept) };
    return hasValidTypes(form.fields, values) ? values : undefined;
  };
  const values = addValues(inputs);
  if (!values || !isSubmitted) return values;
  const hiddenByState: readonly string[] = form.findHiddenFields?.({ ...shownState, values }) ?? [];
  return addValues(inputs.filter((name) => hiddenByState.includes(name)));
}

/** A form that was submitted, or confirmed in a second view. */
export interface SubmittedForm extends CurrentForm, SubmittedStore {
  /** Whether the submitted view is the form. Otherwise it is the form's confirmation. */
  isFormShown: boolean;
  selected: Selected;
  /** The fields whose inputs a change, which may be in flight, replaces by others with new block ids. */
  replacedFields: readonly string[];
}

/** Reads a submitted form, or the form of a submitted confirmation. Undefined if the form can't be submitted. */
export async function readSubmittedForm(
  form: Form,
  call: SubmissionCall,
  opened: OpenedForm,
): Promise<SubmittedForm | undefined> {
  const { view } = call;
  const isFormShown = view.callbackId === form.name;
  const current = isFormShown
    ? await readShownForm(form, call, view, opened, { isSubmitted: true })
    : await restoreUnconfirmedForm(form, call, opened);
  if (!current) return undefined;
  // A confirmation shows what was checked with the stored context.
  const isRefreshed = isFormShown && !current.stored.isHandled;
  const refreshed = isRefreshed ? await refreshContext(form, call, current, true) : current;
  const { replacedFields } = isFormShown ? applyShownChange(form, view, refreshed) : { replacedFields: [] };
  const store = createSubmittedStore(form, call, refreshed);
  return { ...refreshed, ...store, isFormShown, replacedFields, selected: opened.selected };
}

/** Refreshes the form context for the current values. `isSubmitted`: see `Form.refreshContext`. */
export async function refreshContext(
  form: Form,
  call: Call,
  current: CurrentForm,
  isSubmitted = false,
): Promise<CurrentForm> {
  if (!form.refreshContext) return current;
  const { formId } = current;
  const formContext = await form.refreshContext(current.state, call, { formId, isSubmitted });
  return { ...current, state: { ...current.state, formContext } };
}

/** Restores a form that waits for confirmation. Throws if the person may no longer open it for a chosen project. */
async function restoreUnconfirmedForm(
  form: Form,
  call: Call,
  { formId, stored, formContext }: OpenedForm,
): Promise<CurrentForm | undefined> {
  if (!stored.unconfirmed) return undefined;
  const values = computeInitialValues(form.fields, stored.unconfirmed, formContext);
  await checkProjectPermissions(form.fields, call, values);
  const state = { values, formContext, now: call.now() };
  return { formId, stored, state, blockVersions: {}, hiddenFields: [] };
}

/** Reads the value of each field. A field that isn't shown as an input has its initial value. */
function readView(
  fields: Fields,
  { blockIds, values }: Pick<OpenView, 'blockIds' | 'values'>,
  formContext: FormContext,
): { values: Record<string, unknown>; blockVersions: BlockVersions } {
  const blockVersions = parseBlockVersions(Object.keys(fields), [...blockIds, ...Object.keys(values)]);
  const entries = Object.entries(fields).map(([name, field]) => {
    const initialValue = field.computeInitialValue
      ? field.computeInitialValue(field.emptyValue, formContext)
      : field.emptyValue;
    const isShown = isInput(field, formContext);
    return [name, isShown ? field.read(values, buildBlockId(name, blockVersions)) : initialValue] as const;
  });
  return { values: Object.fromEntries(entries), blockVersions };
}

/** Whether the view has all required blocks, and no unknown block. */
function hasExpectedBlocks(
  form: Form,
  values: ViewValues,
  blockVersions: BlockVersions,
  formContext: FormContext,
): boolean {
  const shownFields = Object.entries(form.fields).filter(([, field]) => isInput(field, formContext));
  const knownIds = shownFields.map(([name]) => buildBlockId(name, blockVersions));
  const hideableFields: readonly string[] = form.hideableFields ?? [];
  const requiredIds = shownFields
    .filter(([name]) => !hideableFields.includes(name))
    .map(([name]) => buildBlockId(name, blockVersions));
  const presentIds = Object.keys(values);
  return (
    presentIds.every((id) => knownIds.includes(id)) && requiredIds.every((id) => presentIds.includes(id))
  );
}

const chosenProjects = z.array(namedRecord.optional());

/** Throws if the person may no longer open the form for a project that is chosen in the form. */
async function checkProjectPermissions(
  fields: Fields,
  call: Pick<Call, 'requireFormPermission'>,
  values: Readonly<Record<string, unknown>>,
): Promise<void> {
  const projectFields = Object.keys(fields).filter((name) => fields[name]?.containsProjects);
  const projects = chosenProjects.parse(projectFields.flatMap((name) => values[name]));
  for (const project of projects) if (project) await call.requireFormPermission(project.id);
}

/**
 * Stores the project that Slack reported. Searches that depend on the project need the stored value, because Slack's
 * requests for options may contain an older state of the form, or none (bolt-js #1146 and #660, bolt-python #336,
 * java-slack-sdk #1292). Call this function before any slow work: a later request for options waits for changes of the
 * stored form that are in progress.
 */
export async function storeChosenProject(form: Form, call: ActionCall, view: OpenView): Promise<void> {
  const formId = parseFormId(form.version, view.metadata);
  if (formId === undefined) return;
  await changeStoredForm(form, call, formId, (stored) => {
    const formContext = form.contextLoader.schema.safeParse(stored.formContext).data;
    if (!formContext || isOutdated(stored, call.action)) return stored;
    return { ...stored, project: findChosenProject(readView(form.fields, view, formContext).values) };
  });
}

/**
 * Applies a change, and then the changes that the form derives from the changed state. Returns the new state and the
 * names of the changed fields. Pure.
 */
export function applyChange<F extends Fields, Context extends FormContext, Content>(
  form: Pick<Form<F, Context, Content>, 'deriveChanges'>,
  previousState: FormState<F, Context>,
  change: FormChange<F, Context> = {},
): { state: FormState<F, Context>; changedFields: readonly string[] } {
  const mergedState = mergeChange(previousState, change);
  const state = form.deriveChanges ? mergeChange(mergedState, form.deriveChanges(mergedState)) : mergedState;
  const changedFields = Object.keys(state.values).filter(
    (name) => !isSame(state.values[name], previousState.values[name]),
  );
  return { state, changedFields };
}

type ShownForm = Pick<CurrentForm, 'state' | 'blockVersions'>;

/** Applies a change to a form that is open in a view. Fields that change, or are replaced, get new block ids. Pure. */
export function applyShownChange(
  form: Form,
  view: OpenView,
  { state: previousState, blockVersions }: ShownForm,
  change: FormChange = {},
): ShownForm & { replacedFields: readonly string[] } {
  const { state, changedFields } = applyChange(form, previousState, change);
  const replacedFields = [...changedFields, ...findFieldsToReplace(form, view, { blockVersions, state })];
  return { state, replacedFields, blockVersions: incrementBlockVersions(blockVersions, replacedFields) };
}

/**
 * Finds the empty fields whose inputs were optional in the open view and no longer are, or the other way round. They
 * need a new block_id: a client of Slack doesn't follow a change of `optional` (bolt-js #1317).
 */
function findFieldsToReplace(
  form: Form,
  { optionalBlockIds, blockIds }: OpenView,
  { blockVersions, state }: ShownForm,
): string[] {
  const requiredFields: readonly string[] = form.findRequiredFields?.(state) ?? [];
  return Object.entries(form.fields).flatMap(([name, field]) => {
    const blockId = buildBlockId(name, blockVersions);
    const isChanged = optionalBlockIds.includes(blockId) !== isOptional(field, requiredFields.includes(name));
    return blockIds.includes(blockId) && isChanged && isSame(state.values[name], field.emptyValue)
      ? [name]
      : [];
  });
}

function mergeChange<F extends Fields, Context extends FormContext>(
  state: FormState<F, Context>,
  { values, formContext }: FormChange<F, Context>,
): FormState<F, Context> {
  return { ...state, values: { ...state.values, ...values }, formContext: formContext ?? state.formContext };
}

/** Checks the form and each shown field. The error of a field replaces the form's error for the same field. Pure. */
export function checkForm<F extends Fields, Context extends FormContext, Content>(
  form: Pick<Form<F, Context, Content>, 'fields' | 'check' | 'findHiddenFields'>,
  state: FormState<F, Context>,
): CheckResult<F, Content> {
  const checkResult = form.check(state);
  const hiddenFields: readonly string[] = form.findHiddenFields?.(state) ?? [];
  const fieldErrors = Object.entries(form.fields).flatMap(([name, field]) => {
    const isShown = !hiddenFields.includes(name) && isInput(field, state.formContext);
    const error = isShown ? field.validate?.(state.values[name], state.formContext) : undefined;
    return error === undefined ? [] : [[name, error] as const];
  });
  if (fieldErrors.length === 0) return checkResult;
  const errors = checkResult.kind === 'invalid' ? checkResult.errors : {};
  return { kind: 'invalid', errors: { ...errors, ...Object.fromEntries(fieldErrors) } };
}

export interface SubmittedChange {
  /** The next submission is checked with the context that the person sees by then. */
  change?: Partial<StoredForm> | undefined;
  /** What becomes of the typed values. Defaults to no change. */
  typed?: 'keep' | 'end';
}

const CHANGES_OF_TYPED = { keep: keepTyped, end: endTyped };

/** Stores what becomes of a submitted form. It knows the stored form as it was last read or stored. */
interface SubmittedStore {
  /**
   * Stores a change, and the submitted project, unless it is the one that was stored: a later choice may be stored by now.
   * If the form stays open, searches need it, and Slack's earlier report of it may have been lost. A change may not get
   * lost. Without one, the response stays true if storing fails. `rereads`: whether the form is read again, because a
   * change of a field may have been stored meanwhile.
   */
  storeChange(change: SubmittedChange, options?: { rereads?: boolean }): Promise<void>;
  /**
   * Prepares the end of the typed values as a part of the statement that stores a single submission. Undefined if it
   * changes nothing.
   */
  prepareEnd(): Companion | undefined;
}

export function createSubmittedStore(form: Form, call: Call, current: CurrentForm): SubmittedStore {
  const { formId, state } = current;
  const project = findChosenProject(state.values);
  // Undefined from the moment the end is sent with a submission until it is known to be stored.
  let known: StoredForm | undefined = current.stored;
  const createChange = ({ change, typed }: SubmittedChange, base: StoredForm = current.stored) => {
    const isProjectNew = !isSame(project, base.project);
    return (stored: StoredForm): StoredForm => {
      const changed = {
        ...(typed ? CHANGES_OF_TYPED[typed](form, stored, state) : stored),
        ...(isProjectNew && { project }),
        ...change,
      };
      const submittedAt = toSubmittedAt(call, { staysOpen: typed === 'keep' });
      // The time alone needs no write: the view stays the form, with errors.
      return isSame(changed, stored) ? stored : { ...changed, submittedAt };
    };
  };
  return {
    async storeChange(submittedChange, { rereads = false } = {}) {
      const latest = rereads ? undefined : known;
      const change = createChange(submittedChange, known);
      if (latest && change(latest) === latest) return;
      const storing = changeStoredForm(form, call, formId, change, latest);
      if (submittedChange.change) return storing;
      await storing.catch((error: unknown) =>
        call.log.warn({ reference: call.reference, err: error }, 'could not update an unfinished form'),
      );
    },
    prepareEnd() {
      const { stored } = current;
      const changed = createChange({ typed: 'end' })(stored);
      if (changed === stored) return undefined;
      const end = { id: formId, known: stored, changed, typedAt: getTypedAt(changed) };
      return prepareSealedChange(call, end, (progress) => {
        known = progress === 'changed' ? changed : undefined;
      });
    },
  };
}
