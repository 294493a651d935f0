/** Every single change of a value: what is bound to the value must notice each of them. */

/** The type with each optional field given, so that an example of it that lacks a new field does not compile. */
export type Complete<T> = T extends readonly (infer Item)[]
  ? readonly Complete<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]-?: Complete<NonNullable<T[Key]>> }
    : T;

type Change = readonly [path: string, value: unknown];

/** The value with one text, number or boolean changed or removed, however deep it is. Lists are also shortened and turned. */
export function* eachChange(value: unknown, path = ''): Generator<Change> {
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries()) {
      for (const [inside, changed] of eachChange(item, `${path}[${at}]`)) yield [inside, value.with(at, changed)];
      yield [`${path} without [${at}]`, value.toSpliced(at, 1)];
    }
    if (new Set(value.map((item) => JSON.stringify(item))).size > 1) yield [`${path} turned`, value.toReversed()];
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, part] of Object.entries(value)) {
      for (const [inside, changed] of eachChange(part, `${path}.${name}`))
        yield [inside, { ...value, [name]: changed }];
      if (typeof part !== 'object') yield [`${path} without .${name}`, { ...value, [name]: undefined }];
    }
  } else if (typeof value === 'string') yield [path, `${value}1`];
  else if (typeof value === 'number') yield [path, value + 1];
  else if (typeof value === 'boolean') yield [path, !value];
}
