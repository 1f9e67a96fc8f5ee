import { readFile } from 'node:fs/promises'
import { kinds } from '@embed-access/core/catalog/kinds.ts'
import { type Reference, references } from '@embed-access/core/catalog/references.ts'
import { isoTime } from '@embed-access/core/time.ts'
import { describedKinds } from './catalog-kinds.ts'
import { type JsonObject, jsonSchemaOf } from './json-schema.ts'

type KindName = keyof typeof kinds

const introduction = `<!-- Made by \`npm run openapi\` from core/catalog and openapi/catalog-kinds.ts. -->

# Catalog

Other parts of the platform own accounts, users, folders, workbooks and the rest. They come in as **catalog changes**: one JSON object
each, one per line in a file (gzipped or not), or in a list for \`applyChanges\` of \`core/catalog/apply.ts\`.

\`\`\`json
{"kind":"folder","op":"put","revision":17,"data":{"deploymentId":1,"id":7,"name":"Finance","parentId":null}}
\`\`\`

| field | meaning |
| --- | --- |
| \`kind\` | one of the kinds below |
| \`op\` | \`put\` creates or replaces, and is the default. \`delete\` needs only the fields that identify the thing, in bold below |
| \`revision\` | an integer. A change with a lower or the same revision as the one applied is skipped. Without it, the change is applied when it arrives |
| \`sentAt\` | when it was sent (ISO 8601). It only tells operators how far behind changes are applied ([feed.md](feed.md)) |
| \`data\` | the fields of the kind. An unknown field is refused; in a \`workbook\`, \`dbtSync\` or \`notification\` it is left out with a warning. \`null\` in an optional field means the same as leaving it out |

\`npm run catalog -- init DIR\` writes a small example. [catalog.schema.json](catalog.schema.json) is the JSON Schema of a change: an
editor that knows it completes kinds and fields.

## Order, revisions, deletions

- Changes may come in any order, more than once, from any number of writers. Each thing is what its newest change says.
- No change alters another thing. What refers to something that is not there is kept, counts for nothing, and counts again when the
  other thing arrives.
- A revision names one content. Two different changes of a thing must not have the same revision.
- A deployment's id and an API key belong to the account that the lowest revision names; without revisions, to the first that arrives. A
  change that names another account is refused. If an older change shows later that another account was first, the newest change of that account counts.
- A deleted thing leaves a tombstone for 90 days, so that an older change does not bring it back. Do not send older changes again.
  Tombstones of deployments and embed tenants stay, those of accounts until \`npm run catalog -- purge\` has run.
- Each change is applied, skipped (a newer one is there), refused (it can never be applied) or failed (send it again). A refusal names
  the field by its JSON pointer and the reason. An invalid change stops no other.

\`npm run catalog -- import FILE --dry-run\` finds what is not valid, contradicts another line, or refers to nothing in the file.
\`npm run catalog -- check\` finds what refers to nothing in the tables.

## Limits

A change without a document has at most 64 KiB of data. A workbook may have 5 MiB as JSON and 390 KB compressed, a sync or notification
256 KiB as JSON. Unknown fields count, since the size is checked first. A refusal lists at most 100 reasons. Ids are integers from 0 to 2^53 - 1. Other
numbers keep all of their digits, however they are written; one beyond the range of a 64-bit float is refused. Dates and date-times are ISO 8601, of days that
exist, and stay as they are written. One without an offset is UTC. Week and ordinal dates, 24:00 and leap seconds are refused.
`

/** docs/catalog.md: every kind with its fields, an example, what it refers to, and what its deletion does. */
export async function catalogReference(): Promise<string> {
  const examples = await exampleOfEachKind()
  const sections = (Object.keys(kinds) as KindName[]).map((name) => section(name, examples[name] as string))
  return `${introduction}\n${sections.join('\n')}`
}

function section(name: KindName, example: string): string {
  const { description, fields = {}, deletion } = describedKinds[name]
  const { properties, required = [] } = jsonSchemaOf(kinds[name].data, 'request') as {
    properties: Record<string, JsonObject>
    required?: string[]
  }
  const identity = jsonSchemaOf(kinds[name].identity, 'request') as { properties: object; required?: string[] }
  const rows = Object.entries(properties).map(([field, schema]) => {
    const shown = identity.required?.includes(field) || name === 'share' ? `**\`${field}\`**` : `\`${field}\``
    const isIdentifying = field in identity.properties
    const how = required.includes(field)
      ? 'required'
      : isIdentifying && name === 'attributeDefinition'
        ? 'identifies'
        : ''
    return `| ${shown} | ${typeText(schema)} | ${how} | ${fields[field] ?? ''} |`
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
  const each = [...new Set(all.map(({ field }) => field))].map((field) => {
    const kinds = all.filter((one) => one.field === field).map(({ to }) => `[${to}](#${to.toLowerCase()})`)
    return `${kinds.join(' or ')} by \`${field}\``
  })
  return `_Refers to_: ${each.join(', ')}.\n\n`
}

/** @example typeText({ type: 'array', items: { type: 'string' }, maxItems: 3 }) // 'list of text, at most 3' */
function typeText(schema: JsonObject): string {
  const { type, const: constant, enum: values, anyOf, oneOf, items, properties, maxItems } = schema
  if (constant !== undefined) return `\`${JSON.stringify(constant)}\``
  if (Array.isArray(values))
    return values
      .filter((value) => value !== null)
      .map((value) => `\`${value}\``)
      .join(', ')
  const choices = (anyOf ?? oneOf) as JsonObject[] | undefined
  if (choices) return [...new Set(choices.filter(({ type }) => type !== 'null').map(typeText))].join(' or ')
  const plain = Array.isArray(type) ? type.find((each) => each !== 'null') : type
  if (plain === 'array') {
    return `list of ${typeText((items ?? {}) as JsonObject)}${maxItems === undefined ? '' : `, at most ${maxItems}`}`
  }
  if (plain === 'object' && properties) {
    const fields = Object.entries(properties as Record<string, JsonObject>)
    // What is larger is in the OpenAPI document.
    if (fields.length > 6) return 'object'
    return `{${fields.map(([field, each]) => `\`${field}\`: ${typeText(each)}`).join(', ')}}`
  }
  return plain === 'string' ? textType(schema) : plain === 'boolean' ? 'true or false' : String(plain)
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
  return Object.fromEntries(longestLast.map((line) => [(JSON.parse(line) as { kind: string }).kind, line]))
}
