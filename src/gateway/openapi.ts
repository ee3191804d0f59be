import { apiVersion, type Description } from '#core/http/openapi'
import { askAll } from './ask.ts'
import type { Env } from './env.ts'

/** One OpenAPI document of all components, each under its path; one that does not answer is left out and named. */
export async function describeAll(env: Env, base: string): Promise<Description> {
  const answers = [...(await askAll(env, base, '/_openapi.json'))]
  const silent = answers.flatMap(([component, answer]) => (answer ? [] : component))
  const documents = answers.flatMap(([component, answer]) => (answer ? { component, ...(answer as Description) } : []))
  return {
    openapi: '3.1.0',
    info: {
      title: 'Quartermaster',
      version: apiVersion,
      description: `All components.${silent.length > 0 ? ` Left out, as they did not answer: ${silent.join(', ')}.` : ''}`,
    },
    servers: [{ url: base }],
    tags: documents.flatMap(({ tags }) => tags),
    security: documents[0]?.security ?? [],
    paths: Object.assign({}, ...documents.map(({ component, paths }) => underPrefix(component, paths))),
    // Merged section by section, which keeps the type of each.
    components: mergeComponents(documents.map(({ components }) => components as Sections)) as Description['components'],
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
