import { defineConfig, mergeConfig } from 'vitest/config'
import config from '../../vitest.config.ts'

/** The tests that are to notice mutants. They must call what they test within their own process, so those of commands can't. */
const include = JSON.parse(process.env.TESTS_AGAINST_MUTANTS ?? '[]') as string[]

export default mergeConfig({ ...config, test: { ...config.test, include: [] } }, defineConfig({ test: { include } }))
