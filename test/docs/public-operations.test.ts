import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { routeKeyOf, routes } from '../../functions/operations/operations.ts'

const publicOperations = routes.filter(({ access }) => access === 'public').map(routeKeyOf)

/** Each document that lists the operations without a credential, with words that begin the list and words that end it. */
const lists = [
  ['README.md', 'except the public ones:', 'A refusal is'],
  ['docs/embed-a-page.md', 'can call the public operations:', ' |'],
  ['docs/specification.md', '| redeem a session', '| everybody |'],
] as const

test.each(lists)('%s lists the operations that need no credential, and no others', (path, begin, end) => {
  const [, list = ''] = readFileSync(path, 'utf8').split(begin)
  const listed = list.split(end)[0]?.matchAll(/`((?:GET|POST) [^`]+)`/g) ?? []
  expect([...listed].map(([, operation]) => operation).sort()).toEqual([...publicOperations].sort())
})
