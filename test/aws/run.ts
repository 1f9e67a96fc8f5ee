import { freePort } from '../../local/engine.ts'
import { answering } from '../support/answering.ts'
import { prove, tools } from './proof.ts'

export const help = `Usage: npm run prove -- aws [OPTIONS OF VITEST]

Holds what is deployed against AWS's own descriptions, without AWS: every resource of every stage
against the models of its services (botocore), the commands and the scripts of stages against moto,
policies against the reference of IAM. Linters read the template of the account, the workflows and
the scripts. The first time it installs them into node_modules/.cache, from PyPI and
the proxy of Go. It needs Python 3.10 or later, Go and jq. On Debian:

  apt-get install python3-venv golang jq
`

export const run = () =>
  prove({
    help,
    folder: 'test/aws',
    uses: ['linters', 'checkov', 'actionlint'],
    takes: ['jq'],
    async serve() {
      const port = String(await freePort())
      const url = `http://127.0.0.1:${port}`
      const program = `${tools.linters}/bin/moto_server`
      const { stop } = await answering(url, program, ['--port', port], { stdio: 'ignore' })
      return { env: { MOTO: url }, stop }
    },
  })
