import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Another list of requirements has another environment. */
function environment(name: string) {
  const requirements = `test/aws/${name}.txt`
  const version = hash('sha256', readFileSync(requirements)).slice(0, 12)
  return { requirements, directory: resolve('node_modules/.cache', `aws-${name}-${version}`) }
}

export const tools = {
  python: environment('requirements'),
  checkov: environment('checkov'),
  go: {
    directory: resolve('node_modules/.cache/go-tools'),
    actionlint: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
  },
}
