# SPDX-License-Identifier: BSD-3-Clause
"""Declarations for ctypes from the public headers, checked against the library.

    generate.py CC HEADER LIBRARY SONAME OUTPUT

Writes OUTPUT (hawser/_abi.py) and OUTPUT.c, which compiles only if every struct has the size and the
offsets that ctypes gives it. Fails if the library lacks a function of the headers or has another.
"""
import ctypes
import keyword
import subprocess
import sys

from pycparser import c_ast, c_parser

NUMBERS = {
    "char": "c_char", "signed char": "c_byte", "int": "c_int", "unsigned int": "c_uint", "unsigned": "c_uint",
    "long": "c_long", "unsigned long": "c_ulong", "double": "c_double", "size_t": "c_size_t", "_Bool": "c_bool",
    "bool": "c_bool",
}


class Declarations:
    """What the headers declare, as lines of Python."""

    def __init__(self, unit):
        self.constants, self.structs, self.opaque, self.functions, self.variables = {}, {}, set(), {}, {}
        self.enums = set()
        for node in unit.ext:
            self.add(node)

    def add(self, node):
        inner = node.type
        if isinstance(node, c_ast.Decl) and isinstance(inner, c_ast.Enum):
            self.add_enum(inner)
        elif isinstance(node, c_ast.Decl) and isinstance(inner, c_ast.FuncDecl):
            if node.name.startswith("haw_"):
                self.functions[node.name] = inner
        elif isinstance(node, c_ast.Decl) and node.name and node.name.startswith("haw_"):
            self.variables[node.name] = inner
        elif isinstance(node, c_ast.Typedef):
            self.add_type(node)
        elif isinstance(node, c_ast.Decl) and isinstance(inner, c_ast.Struct):
            self.add_struct(inner.name, inner)

    def add_type(self, node):
        named = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        if isinstance(named, c_ast.Enum):
            self.enums.add(node.name)
            self.add_enum(named)
        elif isinstance(named, c_ast.Struct) and node.name.startswith("haw_"):
            self.add_struct(node.name, named)
        elif node.name.startswith("haw_"):
            self.structs[node.name] = node.type  # of a function

    def add_struct(self, name, struct):
        if struct.decls is None:
            if name not in self.structs:
                self.opaque.add(name)
        else:
            self.opaque.discard(name)
            self.structs[name] = struct

    def add_enum(self, enum):
        value = -1
        for item in enum.values.enumerators:
            value = self.number(item.value) if item.value is not None else value + 1
            self.constants[item.name] = value

    def number(self, node):
        if isinstance(node, c_ast.Constant):
            return int(node.value, 0)
        if isinstance(node, c_ast.ID):
            return self.constants[node.name]
        if isinstance(node, c_ast.UnaryOp):
            return -self.number(node.expr)
        left, right = self.number(node.left), self.number(node.right)
        return {"+": left + right, "*": left * right, "<<": left << right, "|": left | right}[node.op]

    def type(self, node):
        """The expression of a type."""
        if isinstance(node, c_ast.TypeDecl):
            return self.named(node.type)
        if isinstance(node, c_ast.ArrayDecl):
            return f"{self.type(node.type)} * {self.number(node.dim)}"
        if isinstance(node, c_ast.FuncDecl):
            return "CFUNCTYPE({})".format(", ".join([self.type(node.type)] + self.arguments(node)))
        inner = node.type
        if isinstance(inner, c_ast.FuncDecl):
            return self.type(inner)
        target = self.type(inner)
        is_constant = isinstance(inner, c_ast.TypeDecl) and "const" in inner.quals
        if target == "c_char" and is_constant:
            return "c_char_p"
        return "c_void_p" if target in ("None", "c_char") or target in self.opaque else f"POINTER({target})"

    def named(self, node):
        if isinstance(node, c_ast.Enum):
            return "c_int"
        if isinstance(node, c_ast.Struct):
            return node.name
        name = " ".join(node.names)
        if name in self.enums:
            return "c_int"
        return "None" if name == "void" else NUMBERS.get(name, name)

    def arguments(self, node):
        params = node.args.params if node.args is not None else []
        result = []
        for param in params:
            if isinstance(param.type, c_ast.ArrayDecl):  # decays
                result.append(f"POINTER({self.type(param.type.type)})")
            elif not (isinstance(param.type, c_ast.TypeDecl) and self.type(param.type) == "None"):
                result.append(self.type(param.type))
        return result

    def lines(self, soname):
        yield "# Made from include/hawser/*.h by generate.py."
        yield "from ctypes import *  # noqa: F403"
        yield f"SONAME = {soname!r}"
        for name, value in self.constants.items():
            yield f"{name} = {value}"
        structs = {n: s for n, s in self.structs.items() if isinstance(s, c_ast.Struct)}
        for name in structs:
            yield f"class {name}(Structure): pass"
        for name, node in self.structs.items():
            if name not in structs:
                yield f"{name} = {self.type(node)}"
        for name, struct in structs.items():
            names = [d.name + "_" if keyword.iskeyword(d.name) else d.name for d in struct.decls]
            fields = ", ".join(f"({n!r}, {self.type(d.type)})" for n, d in zip(names, struct.decls))
            yield f"{name}._fields_ = [{fields}]"
        yield "PROTOTYPES = {"
        for name, node in self.functions.items():
            yield f"    {name!r}: ({self.type(node.type)}, [{', '.join(self.arguments(node))}]),"
        yield "}"
        yield f"TABLES = {sorted(n for n, t in self.variables.items() if 'haw_row' in self.type(t.type))}"


def check_symbols(library, declared):
    text = subprocess.run(["nm", "-D", "--defined-only", library], check=True, capture_output=True, text=True).stdout
    exported = {line.split()[-1] for line in text.splitlines()}
    lacking, unknown = declared - exported, {n for n in exported if n.startswith("haw_")} - declared
    if lacking or unknown:
        sys.exit(f"{library} and the headers differ: it lacks {sorted(lacking)}, they lack {sorted(unknown)}")


def layout(module):
    """C that compiles only if structs are laid out as in Python."""
    yield "#include <hawser/hawser.h>"
    for name, struct in module.items():
        if isinstance(struct, type) and issubclass(struct, ctypes.Structure) and name.startswith("haw_"):
            yield f'_Static_assert(sizeof({name}) == {ctypes.sizeof(struct)}, "{name}");'
            for field in struct._fields_:
                offset, member = getattr(struct, field[0]).offset, field[0].rstrip("_")
                yield f'_Static_assert(offsetof({name}, {member}) == {offset}, "{name}.{member}");'


def main(compiler, header, library, soname, output):
    command = compiler.split() + ["-E", "-P", "-D__attribute__(x)=", "-Iinclude", header]
    text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    declarations = Declarations(c_parser.CParser().parse(text))
    check_symbols(library, set(declarations.functions) | set(declarations.variables))
    source = "\n".join(declarations.lines(soname)) + "\n"
    module = {}
    exec(compile(source, output, "exec"), module)
    with open(output + ".c", "w", encoding="ascii") as file:
        file.write("\n".join(layout(module)) + "\n")
    subprocess.run(compiler.split() + ["-std=c17", "-Iinclude", "-fsyntax-only", output + ".c"], check=True)
    with open(output, "w", encoding="ascii") as file:
        file.write(source)


if __name__ == "__main__":
    main(*sys.argv[1:])
