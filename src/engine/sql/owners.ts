import { type RawBuilder, sql } from 'kysely';
import { listColumns } from '../../store/column-values.ts';
import type { Owner } from '../capability.ts';
import { filterStates, isStateOf, type Lifecycle, type OwnerState } from '../lifecycle.ts';

interface OwnedDeliveries<State extends string> {
  lifecycle: Lifecycle<State>;
  owner: Owner;
}

/**
 * Builds what an owner gets from its delivery. `source`: the deliveries, as the rows `d`; `names`: the columns of the owner;
 * `values`: their values in terms of `d`. The only source of an owner's state, for its INSERT and for each transition of its
 * delivery.
 */
export function buildOwnerColumns<State extends string>(
  { lifecycle, owner }: OwnedDeliveries<State>,
  deliveries: RawBuilder<unknown>,
) {
  const getReason = ({ reason, keepsReason }: OwnerState) =>
    keepsReason ? sql`delivery.reason` : sql.lit(reason ?? null);
  const copied = ['changed_at', 'retained_since', ...owner.copied];
  return {
    source: sql`(select delivery.*, ${buildCase(lifecycle, ({ state }) => sql.lit(state))} as owner_state,
      ${buildCase(lifecycle, getReason)} as owner_reason from ${deliveries} delivery) d`,
    names: listColumns(['state', 'reason', ...copied]),
    values: sql.join(['owner_state', 'owner_reason', ...copied].map((name) => sql.ref(`d.${name}`))),
  };
}

/** SQL of a value that depends on the state of the row `delivery`. */
function buildCase<State extends string>(
  lifecycle: Lifecycle<State>,
  getValue: (owner: OwnerState) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const branches = filterStates(lifecycle, () => true).flatMap((name) => {
    const { owner } = lifecycle[name];
    return owner ? [sql`when ${sql.lit(name)} then ${getValue(owner)}`] : [];
  });
  return sql`case delivery.state ${sql.join(branches, sql` `)} end`;
}

/**
 * Builds the UPDATE of the owners of deliveries. `changed`: the deliveries that have just changed, in SQL. An owner that
 * stays in its state isn't written.
 */
export function followDeliveries<State extends string>(
  storage: OwnedDeliveries<State>,
  changed: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const { table, delivery, follows } = storage.owner;
  const { source, names, values } = buildOwnerColumns(storage, changed);
  return sql`update ${sql.table(table)} o set fence = o.fence + 1, (${names}) = row(${values}) from ${source}
    where o.${sql.ref(delivery)} = d.id and o.${sql.ref(follows)}
      and row(o.state, o.reason) is distinct from row(d.owner_state, d.owner_reason)`;
}

/** Whether the owner of a row may get another state, because the row's state changes. */
export function mayChangeOwner<State extends string>(
  lifecycle: Lifecycle<State>,
  from: string,
  to: unknown,
): boolean {
  if (typeof to !== 'string' || !isStateOf(lifecycle, from) || !isStateOf(lifecycle, to)) return true;
  const { [from]: before, [to]: after } = lifecycle;
  return (
    before.owner?.keepsReason === true ||
    after.owner?.keepsReason === true ||
    before.owner?.state !== after.owner?.state ||
    before.owner?.reason !== after.owner?.reason
  );
}
