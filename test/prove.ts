import { startChosen } from '../cli/chosen.ts'

/* What takes longer than `npm test`, or more than Node: `npm run prove -- NAME`. */
await startChosen('npm run prove', {
  aws: [
    "the deployment against AWS's own descriptions; needs Python, Go and jq",
    () => import('./aws/run.ts'),
  ],
  browser: ['playground and reference in Chromium', () => import('./browser/run.ts')],
  clients: [
    'clients that generators make from the document; needs Python',
    () => import('./clients/clients.ts'),
  ],
  'dynamodb-local': [
    "the tests against AWS's DynamoDB Local; needs Java",
    () => import('./engine/dynamodb-local.ts'),
  ],
  fuzz: [
    'requests that are generated from the document; needs Python',
    () => import('./fuzz/fuzz.ts'),
  ],
  lambda: [
    "the bundles under AWS's Runtime Interface Emulator; needs Linux, Python, cmake and C++",
    () => import('./lambda/run.ts'),
  ],
  mutants: [
    'whether the tests notice mistakes made on purpose',
    () => import('./mutants/mutants.ts'),
  ],
  newcomer: [
    'the README on a machine that has only Node and npm',
    () => import('./newcomer/newcomer.ts'),
  ],
  published: [
    "the document against the platform's current API; npm test does so too",
    () => import('./contract/run-published.ts'),
  ],
  simulate: [
    'the catalog over a database that lags, throttles and loses',
    () => import('./simulation/simulate.ts'),
  ],
  soak: [
    'mixed traffic against a local server: answers, memory, sockets',
    () => import('./soak/soak.ts'),
  ],
})
