# CPython's word on a source, one JSON line in, one out: whether it compiles, and what it defines where.
import ast, base64, json, sys, warnings

warnings.simplefilter("ignore")


def names(node):
    return [ast.unparse(one) for one in node.decorator_list]


def define(node, inside):
    first = min([one.lineno for one in node.decorator_list] + [node.lineno])
    kind = "class" if isinstance(node, ast.ClassDef) else "method" if inside else "function"
    return {
        "kind": kind,
        "name": node.name,
        "line": first,
        "core": node.lineno,
        "end": node.end_lineno,
        "endColumn": node.end_col_offset,
        "column": node.col_offset,
        "body": node.body[0].lineno,
        "decorators": names(node),
        "args": [] if kind == "class" else [one.arg for one in node.args.args],
        "members": [
            define(one, True)
            for one in (node.body if kind == "class" else [])
            if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        ],
    }


def answer(question):
    source = base64.b64decode(question["content"])
    try:
        if question["do"] == "compile":
            compile(source, "source.py", "exec", dont_inherit=True)
            return True
        tree = ast.parse(source)
        return {
            "symbols": [
                define(one, False)
                for one in tree.body
                if isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
            ],
            "imports": [
                [one.lineno, one.end_lineno]
                for one in tree.body
                if isinstance(one, (ast.Import, ast.ImportFrom))
            ],
        }
    except (SyntaxError, ValueError, RecursionError, MemoryError, UnicodeError):
        return False


for line in sys.stdin:
    print(json.dumps(answer(json.loads(line))), flush=True)
