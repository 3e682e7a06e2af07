import { z } from 'zod'
import { activateOrganization, listOrganizations, updateOrganization } from '../../src/accounts/organizations.ts'
import {
  createOrganizationBody,
  organizationListQuery,
  organizationRecord,
  updateOrganizationBody,
} from '../../src/accounts/schema.ts'
import { listOf } from '../../src/lists.ts'
import { openOrganization } from '../../src/signup/organization.ts'
import { publishTermsBody, termsManifest } from '../../src/terms/schema.ts'
import { publishTerms } from '../../src/terms/terms.ts'
import { route } from '../route.ts'
import { idPath } from './paths.ts'

const tag = 'Administration'
const access = 'admin'

export const adminRoutes = [
  route({
    method: 'post',
    path: '/v1/admin/orgs',
    tag,
    summary: 'Create an organization and its key',
    access,
    body: createOrganizationBody,
    success: { status: 201, schema: z.object({ org: organizationRecord, api_key: z.string() }) },
    errors: ['validation_error'],
    run: ({ app, body }) => openOrganization(app, body),
  }),
  route({
    method: 'get',
    path: '/v1/admin/orgs',
    tag,
    summary: 'List organizations',
    access,
    query: organizationListQuery,
    success: { status: 200, schema: listOf(organizationRecord) },
    errors: ['validation_error'],
    run: ({ app, query }) => listOrganizations(app, query),
  }),
  route({
    method: 'patch',
    path: '/v1/admin/orgs/:id',
    tag,
    summary: 'Change the plan of an organization',
    description: 'In force on every process with the next request.',
    access,
    params: idPath('org'),
    body: updateOrganizationBody,
    success: { status: 200, schema: organizationRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, request, params, body }) => updateOrganization(app, request, params.id, body),
  }),
  route({
    method: 'post',
    path: '/v1/admin/orgs/:id/activate',
    tag,
    summary: 'Take an organization off the waitlist',
    description: 'Its owner is told by mail.',
    access,
    params: idPath('org'),
    success: { status: 200, schema: organizationRecord },
    errors: ['validation_error', 'not_found'],
    run: ({ app, request, params }) => activateOrganization(app, request, params.id),
  }),
  route({
    method: 'post',
    path: '/v1/admin/terms',
    tag,
    summary: 'Publish terms of service',
    description: 'In force at once. Material ones have to be accepted again, which every authenticated answer says.',
    access,
    body: publishTermsBody,
    success: { status: 201, schema: termsManifest },
    errors: ['validation_error'],
    run: ({ app, body }) => publishTerms(app, body),
  }),
]
