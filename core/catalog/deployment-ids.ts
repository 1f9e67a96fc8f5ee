import * as v from 'valibot'
import { id, list } from '../schema.ts'

/** Deployment ids travel in the authorizer's answer, which has little room. */
export const maxDeploymentIds = 400

export const deploymentIds = v.pipe(
  list(id),
  v.maxLength(maxDeploymentIds, `must have at most ${maxDeploymentIds} entries`),
)
