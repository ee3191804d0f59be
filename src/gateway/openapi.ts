import { apiVersion, conventions, type Description, describeApi } from '#core/http/openapi'
import type { Env } from './env.ts'
import { fetchFromAll } from './pages.ts'
import { personApi } from './person.ts'

/** Merges the OpenAPI documents of all components, each under its path, and that of the gateway. The description names components that do not answer. */
export async function describeAll(env: Env, base: string): Promise<Description> {
  const replies = [...(await fetchFromAll(env, base, '/_openapi.json'))]
  const missing = replies.flatMap(([component, reply]) => (reply ? [] : component))
  const documents = replies.flatMap(([component, reply]) => (reply ? { component, ...(reply as Description) } : []))
  const own = describeApi(personApi.about, personApi.endpoints, env, new Request(base))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quartermaster',
      version: apiVersion,
      description: `All components of Quartermaster.${missing.length > 0 ? ` These did not answer, and are missing: ${missing.join(', ')}.` : ''}\n\n${conventions}`,
    },
    servers: [{ url: base }],
    tags: [...documents.flatMap(({ tags }) => tags), ...own.tags],
    security: documents[0]?.security ?? [],
    paths: Object.assign({}, ...documents.map(({ component, paths }) => underPrefix(component, paths)), own.paths),
    components: mergeComponents(
      [own, ...documents].map(({ components }) => components as Sections),
    ) as Description['components'],
  }
}

const underPrefix = (component: string, paths: Description['paths']) =>
  Object.fromEntries(Object.entries(paths).map(([path, methods]) => [`/${component}${path}`, methods]))

type Sections = Record<string, Record<string, unknown>>

const mergeComponents = (all: Sections[]): Sections =>
  all.reduce<Sections>((merged, sections) => {
    for (const [section, entries] of Object.entries(sections)) merged[section] = { ...merged[section], ...entries }
    return merged
  }, {})
