import * as v from 'valibot'
import { lowerCase, nameOf, text, withoutReplacedBytes } from '../schema.ts'

/** What an embed tenant may be called (docs/specification.md#workbooks-of-an-embed-tenant). */
export const embedTenantNamePattern = /^[a-z][a-z0-9-]{0,34}[a-z0-9]$/

export const nameRule =
  'must be 2 to 36 lower-case letters, digits or hyphens, begin with a letter and end ' +
  'with a letter or digit'

const pattern = v.regex(embedTenantNamePattern, ({ input }) => {
  const inLowerCase = lowerCase(input)
  return embedTenantNamePattern.test(inLowerCase)
    ? `must be in lower case: ${inLowerCase}`
    : nameRule
})

export const embedTenantName = v.pipe(text, pattern)

export const embedTenantNameInAnyCase = v.pipe(
  text,
  v.transform(lowerCase),
  pattern,
  v.metadata({ pattern: embedTenantNamePattern.source.replaceAll('a-z', 'A-Za-z') }),
)

/** The id of an end user at the host, as sessions have it. */
export const externalId = v.pipe(
  text,
  withoutReplacedBytes(),
  v.metadata({ pattern: '\\S' }),
  v.transform((value) => lowerCase(value.trim())),
  v.check((value) => value !== '', 'must not be blank'),
)

/** The name of a group, tenant group or attribute. */
export const name = nameOf(100)

const reservedPrefix = 'system:'

export const newGroupName = v.pipe(
  name,
  v.check(
    (value) => !value.startsWith(reservedPrefix),
    `must not begin with ${reservedPrefix}, which is reserved`,
  ),
  v.metadata({ pattern: `^(?!${reservedPrefix})` }),
)
