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

/** The jobs of all workflows, and the actions of our own, each as its text. */
const jobs = files.flatMap(([file, text]) => (file.startsWith('actions/') ? [text] : text.split(/^(?= {2}[\w-]+:$)/m)))

test('no package runs an install script where credentials of AWS can be had', () => {
  const privileged = jobs.filter((job) => /id-token: write|role-to-assume:/.test(job))
  expect(privileged.length).toBeGreaterThan(3)
  for (const job of privileged) {
    expect(job.match(/npm (ci|install|i|rebuild)\b(?! --ignore-scripts$).*/gm) ?? []).toEqual([])
    for (const [step] of job.matchAll(/npx sst (?:deploy|remove)[\s\S]*?(?=\n {4,6}- |$)/g)) {
      expect(step).toContain("NPM_CONFIG_IGNORE_SCRIPTS: 'true'")
    }
  }
})

test('no stage has the API keys of the demo catalog, which are in the repository', () => {
  for (const job of jobs.filter((job) => job.includes('local/demo/catalog.ndjson'))) {
    expect(job).not.toContain('import local/demo/catalog.ndjson')
    expect(job).toContain('if .kind == "apiKey" then {kind, op: "delete", revision: 2,')
    expect(job).toContain('keys -- create')
  }
  // Without a key of its own the smoke test would use that of the demo catalog.
  for (const [step] of files.flatMap(([, text]) => [
    ...text.matchAll(/run: npm run --silent smoke[\s\S]*?(?=\n {6}- |$)/g),
  ])) {
    expect(step).toMatch(/SMOKE_KEY: \$\{\{ (steps\.deploy\.outputs\.smoke-key|secrets\.SMOKE_KEY) \}\}/)
  }
})

test('an install runs the scripts of exactly those packages that package.json allows', () => {
  expect(readFileSync('.npmrc', 'utf8')).toMatch(/^strict-allow-scripts=true$/m)
  const { allowScripts } = JSON.parse(readFileSync('package.json', 'utf8'))
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    packages: Record<string, { hasInstallScript?: boolean }>
  }
  const withScripts = Object.keys(packages).filter((path) => packages[path]?.hasInstallScript)
  expect(withScripts.map((path) => path.replace(/^.*node_modules\//, '')).sort()).toEqual(
    Object.keys(allowScripts).sort(),
  )
})
