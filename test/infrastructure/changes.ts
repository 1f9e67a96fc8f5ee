import type { Evaluation, Resource } from './evaluate.ts'

/** An evaluation that differs in one place. */
export type Change = {
  /** `aws:dynamodb/table:Table`, or `app`. */
  readonly type: string
  /** `SessionsTable` */
  readonly name: string
  /** `inputs.ttl.enabled`; of an array, without the index. */
  readonly path: string
  readonly what: 'changed' | 'removed'
  make(): Evaluation
}

type Place = { readonly path: readonly (string | number)[]; readonly value: unknown }

/** Every change of one value, and every removal of one, in the resources of AWS and in what SST is told of the app. */
export function changesOf(evaluation: Evaluation): Change[] {
  const { resources } = evaluation
  return [
    ...placesIn(evaluation.app).flatMap(({ path, value }) =>
      (['changed', 'removed'] as const).map((what) => ({
        type: 'app',
        name: 'app',
        path: shown(path),
        what,
        make: () => ({ ...evaluation, app: at(evaluation.app, path, what, value) as Evaluation['app'] }),
      })),
    ),
    ...resources.flatMap((resource, index) => changesOfResource(evaluation, resource, index)),
  ]
}

function changesOfResource(evaluation: Evaluation, resource: Resource, index: number): Change[] {
  const { type, name, inputs, retained } = resource
  if (!/^aws:|^pulumi:providers:aws/.test(type)) return []
  const replaced = (by: readonly Resource[]): Evaluation => ({
    ...evaluation,
    resources: evaluation.resources.toSpliced(index, 1, ...by),
  })
  return [
    { type, name, path: '', what: 'removed', make: () => replaced([]) },
    { type, name, path: 'retained', what: 'changed', make: () => replaced([{ ...resource, retained: !retained }]) },
    ...placesIn(inputs).flatMap(({ path, value }) =>
      (['changed', 'removed'] as const).map((what) => ({
        type,
        name,
        path: shown(['inputs', ...path]),
        what,
        make: () => replaced([{ ...resource, inputs: at(inputs, path, what, value) as Resource['inputs'] }]),
      })),
    ),
  ]
}

/** JSON in a text, such as a policy, is looked into. */
const jsonIn = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{]".*[\]}]$/s.test(value)) return undefined
  try {
    return JSON.parse(value)
  } catch {
    return undefined
  }
}

function placesIn(value: unknown, path: readonly (string | number)[] = []): Place[] {
  const inner = jsonIn(value) ?? value
  if (Array.isArray(inner)) return inner.flatMap((item, index) => placesIn(item, [...path, index]))
  if (typeof inner === 'object' && inner !== null) {
    return Object.entries(inner).flatMap(([key, item]) => placesIn(item, [...path, key]))
  }
  return value === undefined ? [] : [{ path, value }]
}

function at(value: unknown, path: readonly (string | number)[], what: Change['what'], old: unknown): unknown {
  const json = jsonIn(value)
  if (json !== undefined) return JSON.stringify(at(json, path, what, old))
  const [key, ...rest] = path
  if (Array.isArray(value)) {
    const item =
      rest.length === 0 ? (what === 'removed' ? [] : [changed(old)]) : [at(value[key as number], rest, what, old)]
    return value.toSpliced(key as number, 1, ...item)
  }
  const { [key as string]: inner, ...others } = value as Record<string, unknown>
  if (rest.length === 0) return what === 'removed' ? others : { ...others, [key as string]: changed(old) }
  return { ...others, [key as string]: at(inner, rest, what, old) }
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value * 10 + 1
  if (typeof value === 'boolean') return !value
  return `${value}~`
}

const shown = (path: readonly (string | number)[]): string => path.filter((key) => typeof key === 'string').join('.')
