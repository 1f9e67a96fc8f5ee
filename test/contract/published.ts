import { readFileSync } from 'node:fs'
import { isoTime } from '@embed-access/core/time.ts'
import type * as v from 'valibot'
import { jsonSchemaOf } from '../../openapi/json-schema.ts'
import { dateForm, publishedOperations } from '../../openapi/published.ts'
import type { Schema } from '../../openapi/schema-changes.ts'

type Content = { readonly 'application/json'?: { readonly schema?: Schema } }
type Operation = {
  readonly operationId: string
  readonly parameters?: readonly {
    readonly name: string
    readonly in: string
    readonly schema: Schema
    readonly required?: boolean
  }[]
  readonly requestBody?: { readonly content: Content }
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}
type Document = {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

const document: Document = JSON.parse(readFileSync('docs/openapi.json', 'utf8'))

type Difference = {
  /** Where: an operation and its part, or a schema of the document, and what in it. */
  readonly part: string
  readonly field: string
  /** What only the platform says of it, and what only this service says. */
  readonly there: string
  readonly here: string
}

/**
 * How docs/openapi.json differs from what the platform publishes, one row for each kind of
 * difference: in which fields, what is published, what is here.
 */
export function differingRows(): string[] {
  const kinds = Map.groupBy(differences(), ({ there, here }) => `${there} | ${here}`)
  return [...kinds].map(([kind, same]) => {
    const parts = [...Map.groupBy(same, ({ part }) => part)].map(([part, its]) => {
      const fields = its.map(({ field }) => field).join(', ')
      return `\`${fields === '' ? part : `${part}: ${fields}`}\``
    })
    return `${parts.join('; ')} | ${kind}`
  })
}

function* differences(): Generator<Difference> {
  const compare = comparing()
  const absent = { field: '', there: 'published', here: 'not there' }
  for (const [name, { path, query, body, answer }] of Object.entries(publishedOperations)) {
    const own = operations[name]
    if (!own) yield { part: name, ...absent }
    if (!own) continue
    const at = own.operationId
    const published = [
      ...Object.entries(path ?? {}).map(([name, schema]) => ['path', name, schema] as const),
      ...Object.entries(query ?? {}).map(([name, schema]) => ['query', name, schema] as const),
    ]
    const { parameters = [], requestBody, responses } = own
    yield* compare(
      objectOf(published.map(([place, name, schema]) => [name, plain(schema), place === 'path'])),
      objectOf(parameters.map(({ name, schema, required }) => [name, schema, required])),
      `${at} parameters`,
    )
    yield* compare(plain(body), schemaIn(requestBody?.content), `${at} body`)
    const succeeded = Object.entries(responses).find(([status]) => status.startsWith('2'))
    yield* compare(plain(answer), schemaIn(succeeded?.[1].content), `${at} answer`)
  }
  for (const name of Object.keys(operations).filter((name) => !(name in publishedOperations)))
    yield { part: name, field: '', there: 'not there', here: 'offered' }
}

const operations: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(document.paths).flatMap(([path, all]) =>
    Object.entries(all).map(([method, each]) => [`${method.toUpperCase()} ${path}`, each]),
  ),
)

const plain = (schema: v.GenericSchema | undefined): Schema =>
  schema ? jsonSchemaOf(schema, 'request') : {}

const schemaIn = (content: Content | undefined): Schema =>
  content?.['application/json']?.schema ?? {}

const objectOf = (fields: readonly (readonly [string, Schema, boolean | undefined])[]): Schema => ({
  properties: Object.fromEntries(fields.map(([name, schema]) => [name, schema])),
  required: fields.flatMap(([name, , isRequired]) => (isRequired ? [name] : [])),
})

function comparing() {
  const done = new Set<string>()
  return function* compare(
    there: Schema,
    here: Schema,
    part: string,
    field = '',
    required: readonly boolean[] = [],
  ): Generator<Difference> {
    const [was, is] = [there, here].map((schema, index) => factsOf(schema, required[index]))
    const only = (some: string[] = [], others: string[] = []) =>
      some.filter((fact) => !others.includes(fact)).join(', ') || '–'
    const difference = { there: only(was, is), here: only(is, was) }
    if (difference.there !== difference.here) yield { part, field, ...difference }

    const [{ inner: old }, { name, inner: now }] = [alternativesOf(there), alternativesOf(here)]
    if (name !== undefined && done.has(name)) return
    if (name !== undefined) done.add(name)
    const [within, prefix] = name === undefined ? [part, field] : [name, '']
    if (old.items && now.items) yield* compare(old.items, now.items, within, `${prefix}[]`)
    const [values, own] = [old.additionalProperties, now.additionalProperties]
    if (typeof values === 'object' && typeof own === 'object')
      yield* compare(values, own, within, `${prefix}{}`)
    const [before, after] = [old.properties ?? {}, now.properties ?? {}]
    for (const each of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const at = prefix === '' ? each : `${prefix}.${each}`
      const [one, other] = [before[each], after[each]]
      const isRequired = [old, now].map(({ required }) => required?.includes(each) ?? false)
      if (one && other) yield* compare(one, other, within, at, isRequired)
      else
        yield {
          ...{ part: within, field: at },
          there: one ? 'published' : 'not there',
          here: other ? 'offered' : 'not there',
        }
    }
  }
}

/** The alternatives of a schema but null, with the name and the schema of the first one. */
function alternativesOf(schema: Schema) {
  const flat = ({ anyOf, oneOf, ...one }: Schema): Schema[] =>
    (anyOf ?? oneOf)?.flatMap(flat) ?? [one]
  const all = flat(schema).flatMap((each) =>
    [each.type].flat().map((type) => ({ ...each, ...(type !== undefined && { type }) })),
  )
  const some = all.filter(({ type }) => type !== 'null')
  const name = some[0]?.$ref?.replace('#/components/schemas/', '')
  const inner: Schema = (name === undefined ? some[0] : document.components.schemas[name]) ?? {}
  return { name, inner, some, isNullable: some.length < all.length }
}

/** What a schema says, in words that are the same for both sides. */
function factsOf(schema: Schema, isRequired = false): string[] {
  const { some, inner, isNullable } = alternativesOf(schema)
  const types = [...new Set(some.map((each) => typeOf(each)))].sort().join(' or ')
  return [
    types,
    ...(isNullable ? ['null'] : []),
    ...(isRequired ? ['required'] : []),
    ...(inner.additionalProperties === false ? ['no other fields'] : []),
    ...limitsOf(inner),
  ]
}

function typeOf(schema: Schema): string {
  const { $ref, type, items, enum: values } = schema
  if ($ref !== undefined) {
    const name = $ref.replace('#/components/schemas/', '')
    const named = document.components.schemas[name] ?? {}
    return typeOf(named)
  }
  const all = values?.filter((value) => value !== null)
  if (all) return `one of ${all.join(' ')}`
  if (type === 'array' && items && !items.$ref && items.type === undefined) return 'list'
  return type === undefined ? 'anything' : `${type}`
}

const forms: Readonly<Record<string, string>> = {
  [isoTime.source]: 'any ISO 8601 time',
  [dateForm.source]: 'a date or an instant of RFC 3339',
}

/** Whole numbers that every client has are no limit. */
const edges: readonly unknown[] = [0, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]

const limitsOf = (schema: Schema): string[] =>
  Object.entries(schema)
    .filter(([keyword]) => /^(m(in|ax)[A-Z]|m(in|ax)imum|pattern|not|uniq|propertyN)/.test(keyword))
    .filter(([, value]) => !edges.includes(value))
    .map(([keyword, value]) =>
      keyword === 'pattern'
        ? (forms[`${value}`] ?? `pattern \`${value}\``)
        : `${keyword} ${JSON.stringify(value)}`,
    )
