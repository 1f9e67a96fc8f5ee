import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const files = readdirSync('.github', { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.yml'))
  .map((file) => [file, readFileSync(join('.github', file), 'utf8')] as const)

test('there are workflows for previews and for main', () => {
  const names = files.map(([file]) => file)
  for (const name of ['preview.yml', 'deploy.yml']) expect(names).toContain(`workflows/${name}`)
})

test.each(files)('%s takes its actions by commit, says which version that is, and stores no AWS keys', (_, text) => {
  for (const [, action] of text.matchAll(/uses: (.*)/g)) {
    expect(action).toMatch(/^(\.\/[\w/.-]+|[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+)$/)
  }
  expect(text).not.toMatch(/aws-access-key-id|aws-secret-access-key|pull_request_target/)
})

test.each(files)('%s puts nothing of an event into a script but through its environment', (_, text) => {
  for (const [, script] of text.matchAll(/^ *(?:- )?run: ?(.*(?:\n {10,}\S.*)*)/gm)) expect(script).not.toContain('${{')
})

test('every pull request is tried in a browser, by a job that has no secrets and may only read', () => {
  const [, preview = ''] = files.find(([file]) => file === 'workflows/preview.yml') ?? []
  const [job = '', ...others] = preview
    .split(/^(?= {2}[\w-]+:$)/m)
    .filter((job) => job.includes('npm run test:browser'))
  expect(others).toEqual([])
  expect(job).toContain('\n      - run: npm ci\n')
  expect(job).toMatch(/^ {4}permissions:\n {6}contents: read\n {4}\S/m)
  expect(job).toContain("\n    if: github.event.action != 'closed'\n")
  expect(job).not.toMatch(/secrets\.|github\.token|id-token|environment:/)
})
