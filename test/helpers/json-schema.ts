/** Checks a value against a JSON schema (draft 4), with the keywords that the SARIF schema uses; others are refused. */
type Schema = Readonly<Record<string, unknown>>;

export const schemaProblems = (root: Schema, value: unknown): string[] => {
  const problems: string[] = [];
  check(root, value, "$", { root, problems });
  return problems;
};

const known = new Set(
  "$ref $schema additionalProperties anyOf default definitions description enum format id items maximum minItems minimum oneOf pattern properties required title type uniqueItems".split(
    " ",
  ),
);

const check = (
  schema: Schema,
  value: unknown,
  at: string,
  context: { readonly root: Schema; readonly problems: string[] },
): void => {
  const { root, problems } = context;
  const complain = (what: string) => problems.push(`${at}: ${what}`);
  for (const keyword of Object.keys(schema)) {
    if (!known.has(keyword)) throw new Error(`the schema uses ${keyword}`);
  }
  if (typeof schema["$ref"] === "string") {
    const parts = schema["$ref"].replace(/^#\//, "").split("/");
    const target = parts.reduce<unknown>((one, part) => (one as Schema)[part], root);
    return check(target as Schema, value, at, context);
  }
  const passes = (one: unknown) => {
    const inner: string[] = [];
    check(one as Schema, value, at, { root, problems: inner });
    return inner.length === 0;
  };
  for (const [keyword, count] of [
    ["anyOf", 1],
    ["oneOf", 1],
  ] as const) {
    const options = schema[keyword] as unknown[] | undefined;
    const passed = options?.filter(passes).length ?? count;
    if (passed < count || (keyword === "oneOf" && passed > 1)) complain(`${passed} of ${keyword}`);
  }
  const types = schema["type"] === undefined ? [] : [schema["type"]].flat();
  if (types.length > 0 && !types.some((type) => isOfType(value, String(type)))) {
    complain(`is not ${types.join(" or ")}`);
  }
  if (schema["enum"] && !(schema["enum"] as unknown[]).includes(value)) {
    complain(`${JSON.stringify(value)} is none of ${JSON.stringify(schema["enum"])}`);
  }
  if (typeof value === "number") {
    if (value < ((schema["minimum"] as number | undefined) ?? -Infinity)) complain("too small");
    if (value > ((schema["maximum"] as number | undefined) ?? Infinity)) complain("too large");
  }
  if (typeof value === "string") {
    if (schema["pattern"] && !new RegExp(String(schema["pattern"])).test(value)) {
      complain(`${value} does not fit ${String(schema["pattern"])}`);
    }
    if (schema["format"] === "uri" && !URL.canParse(value)) complain(`${value} is no address`);
    if (schema["format"] === "uri-reference" && !URL.canParse(value, "https://example.org/")) {
      complain(`${value} is no reference`);
    }
  }
  if (Array.isArray(value)) {
    if (value.length < ((schema["minItems"] as number | undefined) ?? 0)) complain("too few");
    const texts = value.map((one) => JSON.stringify(one));
    if (schema["uniqueItems"] === true && new Set(texts).size < texts.length) complain("repeats");
    for (const [index, one] of value.entries()) {
      if (schema["items"]) check(schema["items"] as Schema, one, `${at}[${index}]`, context);
    }
  } else if (typeof value === "object" && value !== null) {
    const properties = (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>;
    for (const name of (schema["required"] ?? []) as string[]) {
      if (!(name in value)) complain(`has no ${name}`);
    }
    for (const [name, inner] of Object.entries(value)) {
      const own = properties[name];
      const further = schema["additionalProperties"];
      if (own) check(own, inner, `${at}.${name}`, context);
      else if (further === false) complain(`may not have ${name}`);
      else if (typeof further === "object" && further !== null) {
        check(further as Schema, inner, `${at}.${name}`, context);
      }
    }
  }
};

const isOfType = (value: unknown, type: string): boolean => {
  if (type === "array") return Array.isArray(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  if (type === "object")
    return typeof value === "object" && value !== null && !Array.isArray(value);
  return typeof value === type;
};
