import type { TestProject } from 'vitest/node'
import { type Evaluation, evaluate, productionSettings } from './evaluate.ts'

declare module 'vitest' {
  interface ProvidedContext {
    production: Evaluation
    preview: Evaluation
  }
}

/** The real config for production and for a preview, evaluated once for all test files. */
export default async function stages({ provide }: TestProject) {
  // One after the other: both write their bundles to the same place.
  provide('production', await evaluate('production', productionSettings))
  provide('preview', await evaluate('pr-7'))
}
