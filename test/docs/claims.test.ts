import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { lambdas } from '../../functions/operations/lambdas.ts'

const read = (path: string) => readFileSync(path, 'utf8').replaceAll(/\s+/g, ' ')

test('docs/deploy.md gives each function the memory that it is deployed with', () => {
  const [, listed = ''] = /\*\*Memory\*\*: (.*?)\. - /.exec(read('docs/deploy.md')) ?? []
  const parts = listed.split('; ').map((part) => ({
    text: part,
    memory: Number(/^([\d,]+) MB/.exec(part)?.[1]?.replace(',', '')),
    has: (id: string) => part.includes(`\`${id}\``) || (part.includes('the lists') && id.startsWith('list-')),
  }))
  const others = parts.find(({ text }) => text.includes('all else'))
  for (const [id, { memory }] of Object.entries(lambdas)) {
    const part = parts.find(({ has }) => has(id)) ?? others
    expect([id, part?.memory]).toEqual([id, memory])
  }
})

test('CONTRIBUTING.md says what .ci/run runs', () => {
  const commands = readFileSync('.ci/run', 'utf8').match(/^npm .*$/gm)
  const [, row = ''] = /\| `\.ci\/run` \| (.*?): every change/.exec(read('CONTRIBUTING.md')) ?? []
  expect([...row.matchAll(/`([^`]+)`/g)].map(([, command]) => command)).toEqual(commands)
})
