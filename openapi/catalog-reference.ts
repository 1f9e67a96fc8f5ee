import { readFile } from 'node:fs/promises'
import type { KindName } from '@embed-access/core/catalog/kind.ts'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { type Reference, references } from '@embed-access/core/catalog/references.ts'
import { isoTime } from '@embed-access/core/time.ts'
import { describedKinds } from './catalog-kinds.ts'
import { type JsonObject, jsonSchemaOf } from './json-schema.ts'

const marker =
  '<!-- `npm run openapi` makes what follows from core/catalog and openapi/catalog-kinds.ts. -->\n'

/**
 * Makes docs/catalog.md. Keeps its introduction, and writes for each kind its fields, an example,
 * what it refers to, and what its deletion does.
 */
export async function catalogReference(): Promise<string> {
  const examples = await exampleOfEachKind()
  const names = Object.keys(kinds) as KindName[]
  const sections = names.map((name) => section(name, examples[name] as string))
  const page = await readFile(new URL('../docs/catalog.md', import.meta.url), 'utf8')
  const [introduction] = page.split(marker)
  return `${introduction}${marker}\n${sections.join('\n')}`
}

function section(name: KindName, example: string): string {
  const { description, fields = {}, deletion } = describedKinds[name]
  type Fields = { properties: Record<string, JsonObject>; required?: string[] }
  const { properties, required = [] } = jsonSchemaOf(kinds[name].data, 'request') as Fields
  const identity = jsonSchemaOf(kinds[name].identity, 'request') as Fields
  const useOf = (field: string) => {
    if (required.includes(field)) return 'required'
    // `accountSince` is a part of the claim on an id, and identifies nothing.
    return field in identity.properties && field !== 'accountSince' ? 'identifies' : ''
  }
  const rows = Object.entries(properties).map(([field, schema]) => {
    const shown = identity.required?.includes(field) ? `**\`${field}\`**` : `\`${field}\``
    return `| ${shown} | ${typeText(schema)} | ${useOf(field)} | ${fields[field] ?? ''} |`
  })
  return [
    `## ${name}\n`,
    `${description}\n`,
    '| field | type | | meaning |\n| --- | --- | --- | --- |',
    `${rows.join('\n')}\n`,
    `\`\`\`json\n${example}\n\`\`\`\n`,
    `${referencesText(references[name])}_Deleted_: ${deletion}\n`,
  ].join('\n')
}

function referencesText(all: readonly Reference[]): string {
  if (all.length === 0) return ''
  const each = [...Map.groupBy(all, ({ field }) => field)].map(([field, those]) => {
    const links = those.map(({ to }) => `[${to}](#${to.toLowerCase()})`)
    return `${links.join(' or ')} by \`${field}\``
  })
  return `_Refers to_: ${each.join(', ')}.\n\n`
}

/**
 * @example
 * typeText({ type: 'array', items: { type: 'string' }, maxItems: 3 }) // 'list of text, at most 3'
 */
function typeText(schema: JsonObject): string {
  const { type, const: constant, enum: values, anyOf, oneOf, items, properties, maxItems } = schema
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (Array.isArray(values)) return `\`${values.filter((value) => value !== null).join('`, `')}\``
  const choices = (anyOf ?? oneOf) as JsonObject[] | undefined
  if (choices)
    return [...new Set(choices.filter(({ type }) => type !== 'null').map(typeText))].join(' or ')
  const plain = Array.isArray(type) ? type.find((each) => each !== 'null') : type
  if (plain === 'array') {
    const most = maxItems === undefined ? '' : `, at most ${maxItems}`
    return `list of ${typeText((items ?? {}) as JsonObject)}${most}`
  }
  if (plain === 'object' && properties) {
    const fields = Object.entries(properties as Record<string, JsonObject>)
    // The OpenAPI document has larger objects.
    if (fields.length > 6) return 'object'
    return `{${fields.map(([field, each]) => `\`${field}\`: ${typeText(each)}`).join(', ')}}`
  }
  if (plain === 'string') return textType(schema)
  return plain === 'boolean' ? 'true or false' : String(plain)
}

function textType({ minLength, maxLength, pattern }: JsonObject): string {
  if (pattern === isoTime.source) return 'date or date-time'
  if (maxLength === undefined) return 'text'
  return `text, ${minLength === undefined ? 'at most' : `${minLength} to`} ${maxLength} characters`
}

const example = new URL('../cli/catalog/example/catalog.ndjson', import.meta.url)

/** The example catalog has no API key, since only a hash of one could be in it. */
const apiKey = {
  kind: 'apiKey',
  revision: 1,
  data: {
    accountId: 'northwind',
    tokenHash: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
    userId: 2,
    name: 'Backend',
    deploymentIds: [1],
    expiresAt: '2027-01-31T12:00:00Z',
  },
}

/** The longest line of each kind, which has the most fields. */
async function exampleOfEachKind(): Promise<Record<string, string>> {
  const lines = [...(await readFile(example, 'utf8')).trim().split('\n'), JSON.stringify(apiKey)]
  const longestLast = lines.sort((a, b) => a.length - b.length)
  return Object.fromEntries(
    longestLast.map((line) => [(JSON.parse(line) as { kind: string }).kind, line]),
  )
}
