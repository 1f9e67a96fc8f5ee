import type { Evaluation } from './evaluate.ts'
import { jsonIn } from './suite.ts'

/** An evaluation that differs in one place. */
export type Change = {
  /** @example 'SessionsTable.inputs.ttl.enabled removed' */
  readonly what: string
  make(): Evaluation
}

type Json = Readonly<Record<string, unknown>>

/** Every change of one value, and every removal of one, in the resources of AWS and in what SST is told of the app. */
export function changesOf(evaluation: Evaluation): Change[] {
  const { app, resources } = evaluation
  const ofApp = changesIn(app, 'app').map(({ what, make }) => ({
    what,
    make: () => ({ ...evaluation, app: make() as Json }),
  }))
  const ofResources = resources.flatMap((resource, index) => {
    const { type, name, inputs, retained } = resource
    if (!/^aws:|^pulumi:providers:aws/.test(type)) return []
    const changed = (...by: typeof resources): Evaluation => {
      return { ...evaluation, resources: resources.toSpliced(index, 1, ...by) }
    }
    return [
      { what: `${name} removed`, make: () => changed() },
      { what: `${name}.retained changed`, make: () => changed({ ...resource, retained: !retained }) },
      ...changesIn(inputs, `${name}.inputs`).map(({ what, make }) => ({
        what,
        make: () => changed({ ...resource, inputs: make() as Json }),
      })),
    ]
  })
  return [...ofApp, ...ofResources]
}

type ChangedValue = { readonly what: string; make(): unknown }

/** JSON in a text, such as a policy, is looked into. */
function changesIn(value: unknown, path: string): ChangedValue[] {
  const json = jsonIn(value)
  if (json !== undefined) {
    return changesIn(json, path).map(({ what, make }) => ({ what, make: () => JSON.stringify(make()) }))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, item]) => {
    const within = `${path}.${key}`
    const put = (...items: unknown[]) => replaced(value, key, items)
    const inner = changesIn(item, within).map(({ what, make }) => ({ what, make: () => put(make()) }))
    if (inner.length > 0 || item === undefined || (typeof item === 'object' && item !== null)) return inner
    return [
      { what: `${within} changed`, make: () => put(changed(item)) },
      { what: `${within} removed`, make: () => put() },
    ]
  })
}

/** With something else in the place of a value, or with nothing. */
function replaced(within: object, key: string, by: readonly unknown[]): unknown {
  if (Array.isArray(within)) return within.toSpliced(Number(key), 1, ...by)
  const others = Object.entries(within).filter(([other]) => other !== key)
  return Object.fromEntries([...others, ...by.map((value) => [key, value])])
}

function changed(value: unknown): unknown {
  if (typeof value === 'number') return value * 10 + 1
  return typeof value === 'boolean' ? !value : `${value}~`
}
