"""Contracts for import-linter: packages that are pure, and packages that others may name in annotations but not use."""

import sys

from grimp import ImportGraph, build_graph
from importlinter import Contract, ContractCheck, fields, output
from importlinter.contracts.protected import ProtectedContract


class PureContract(Contract):
    """Modules that import nothing but themselves, the standard library and what is allowed by name.

    A list of what is allowed catches the module that nobody thought of forbidding.
    modules: the pure packages (they may import each other).  allowed: further packages by dotted name.
    """

    type_name = "pure"

    modules = fields.ListField(subfield=fields.StringField())
    allowed = fields.ListField(subfield=fields.StringField(), required=False)

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """Every direct import out of the pure packages; those of allowed packages are their own affair."""
        pure = tuple(self.modules)
        roofs = pure + tuple(self.allowed or ())
        broken = []
        for package in pure:
            for module in sorted({package, *graph.find_descendants(package)}):
                for imported in sorted(graph.find_modules_directly_imported_by(module)):
                    if not self._is_allowed(imported, roofs):
                        details = graph.get_import_details(importer=module, imported=imported)
                        lines = ", ".join(f"l.{detail['line_number']}" for detail in details)
                        broken.append(f"{module} -> {imported} ({lines})")
        return ContractCheck(kept=not broken, metadata={"broken": broken})

    def render_broken_contract(self, check: ContractCheck) -> None:
        """One line per import that should not be there."""
        for line in check.metadata["broken"]:
            output.print_error(f"- {line}")
        output.new_line()

    @staticmethod
    def _is_allowed(imported: str, roofs: tuple[str, ...]) -> bool:
        if imported.partition(".")[0] in sys.stdlib_module_names:
            return True
        return any(imported == roof or imported.startswith(f"{roof}.") for roof in roofs)


class GuardedContract(ProtectedContract):
    """Modules that only some may import when the program runs; anyone may name them in annotations, under TYPE_CHECKING."""

    type_name = "guarded"

    def check(self, graph: ImportGraph, verbose: bool) -> ContractCheck:
        """The protected contract over a graph without the imports for type checking."""
        roots = self.session_options["root_packages"]
        return super().check(build_graph(*roots, exclude_type_checking_imports=True, cache_dir=None), verbose)
