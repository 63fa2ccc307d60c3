import type { Activity as SchemaActivity } from "./generated";

type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}`
  ? `${Head}${Capitalize<Camel<Rest>>}`
  : Name;

type WithCamelKeys<Row> = Row extends unknown
  ? { [Key in keyof Row as Key extends string ? Camel<Key> : Key]: Row[Key] }
  : never;

/**
 * An entry of an idea's activity as it comes over the wire. The server names every key in camelCase,
 * but its schema leaves the keys of this one union as they are called inside; a schema that names
 * them right leaves this type as it is.
 */
export type Activity = WithCamelKeys<SchemaActivity>;
