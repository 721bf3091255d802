"""Kernels: named formulas with ordered inputs and a stated domain, checked, and programs of them in eight languages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import sympy as sp

from derivations.kernels import compiled, reference
from derivations.kernels.specification import Specification
from derivations.kernels.specification.names import KernelError
from derivations.kernels.specification.numbers import Numbers
from derivations.kernels.targets import files_of, text_of
from derivations.language.terms import Expression, Variable
from derivations.text.doors import at_door

__all__ = ["Kernel", "KernelError"]


class Kernel(Specification):
    """Formulas with a name: of numbers, of arrays with sums over their indices, or of matrices of any size.

    A kernel of numbers takes symbols in `state` and `params`, and returns exact SymPy expressions of them; `shared`
    names parts that several of them use, in order, and an expression may be a Piecewise, which becomes a branch. A
    tuple or Matrix among the returns is flattened (`J_12`, `v_1`). `domain` lists relations, and `lost_digits` says how
    many digits floats may lose because the formulas cancel, beyond what rounding costs any program.

    Kernels of arrays and of matrices take `inputs`, compute `steps` one after the other and return arrays or
    {name: matrix}; see derivations.kernels.specification.sums and .matrices. Their domain is a sentence.

    `rests_on` lists the claims that prove the formulas; a kernel of one's own of numbers needs none. What cannot be
    emitted is refused with a KernelError: symbols that are not declared, numbers that are not exact, names that a
    language has taken, functions without an accurate program.

    >>> import sympy as sp
    >>> p, K, r = sp.symbols("p K r", positive=True)
    >>> growth = Kernel("growth", state=[p], params=[K, r], returns={"dp": r * p * (1 - p / K)}, domain=[p <= 10 * K])
    >>> growth.arguments, list(growth.returns)
    (('p', 'K', 'r'), ['dp'])
    >>> growth.reference({"p": "0.1", "K": 2, "r": 1})
    {'dp': '0.095'}
    >>> print(growth.balls("0.1", 2, 1, digits=20)[0].str(10, radius=False))
    0.09500000000

    A sum over as many numbers as are given, and the inverse of a matrix of any size:

    >>> from derivations.kernels.specification.matrices import inverse
    >>> from derivations.kernels.specification.sums import Definition
    >>> from derivations.language.sums import Array, Range, total
    >>> from derivations.language.words import Letter
    >>> k, x, square = Range("K").index("k"), Array("x", Range("K")), Array("square")
    >>> steps = [Definition(square, {(): total(x[k] * x[k], k)})]
    >>> Kernel("norm", inputs=[x], steps=steps, returns=[square], rests_on=["mine"]).reference([[1, 2, 3]])
    {'square': '14'}
    >>> A = Letter("A", "n", "n")
    >>> B = Letter("B", "n", "n", inverse_of=A)
    >>> inverted = Kernel("inverted", inputs=[A], steps=[(B, inverse(A))], returns={"i": B}, rests_on=["mine"])
    >>> inverted.reference([[[2, 0], [0, 4]]])
    {'i': [['0.5', '0'], ['0', '0.25']]}
    """

    @at_door(KernelError)
    def source(self, target: str) -> str:
        """The kernel as one documented text that tests itself.

        `target` is numba, c, jax, numpy or js; any other is refused with a KernelError.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> "const double a = x*x;" in Kernel("square", state=[x], returns={"a": x**2}).source("c")
        True
        """
        return text_of(self, target)

    @at_door(KernelError)
    def sources(self, target: str) -> dict[str, str]:
        """The source text by file name: for the target c, a header and a source.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> sorted(Kernel("square", state=[x], returns={"a": x**2}).sources("c"))
        ['square.c', 'square.h']
        """
        return files_of(self, target)

    @at_door(KernelError)
    def compile(self) -> Callable[..., tuple[Any, ...]]:
        """A function of floats and arrays of doubles that Numba compiles on its first call and finds again later.

        Its source lies in the user's cache folder, which LEARNING_DYNAMICS_CACHE or XDG_CACHE_HOME names.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> square = Kernel("square", state=[x], returns={"a": x**2}).compile()
        >>> square(3.0)
        (9.0,)
        """
        return compiled.compiled(self)

    @at_door(KernelError)
    def lambdify(self, target: str = "numpy") -> Callable[..., tuple[Any, ...]]:
        """A function of numbers or arrays for NumPy, which is the only target.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> (roots,) = Kernel("root", state=[x], returns={"a": sp.sqrt(x)}).lambdify()([1.0, 4.0])
        >>> roots.tolist()
        [1.0, 2.0]
        """
        return compiled.lambdified(self, target)

    @at_door(KernelError)
    def reference(self, point: Mapping[str, Any] | Sequence[Any], digits: int = 30) -> dict[str, Any]:
        """The returns at a point as decimal text, whose last digit may be off by one; arrays as nested rows of it.

        Numbers are taken exactly as written: a float's binary value, a fraction, or text such as 0.1, 1/3 or 0x1.8p+3.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> Kernel("root", state=[x], returns={"a": sp.sqrt(x)}).reference([2], digits=20)
        {'a': '1.4142135623730950488'}
        """
        return reference.decimals(self, point, digits)

    @at_door(KernelError)
    def balls(self, *point: Any, digits: int = 50) -> tuple[Any, ...]:
        """The returns as balls of python-flint that surely hold them.

        point: the arguments in their order, as `reference` takes them. digits: of the working precision.

        >>> import sympy as sp
        >>> x = sp.Symbol("x", positive=True)
        >>> (a,) = Kernel("root", state=[x], returns={"a": sp.sqrt(x)}).balls(2, digits=30)
        >>> (a * a).contains(2)
        True
        """
        return reference.balls(self, point, digits)

    @at_door(KernelError)
    def jacobian(
        self,
        name: str,
        wrt: Sequence[Any],
        says: str = "",
        lost_digits: int = 0,
        *,
        known: Mapping[tuple[Variable, Variable], Expression] | None = None,
        rests_on: Iterable[str] = (),
    ) -> Kernel:
        """The kernel of all derivatives d(return)/d(argument), row by row, named `dp_dK`; shared parts stay shared.

        name: of the new kernel. wrt: the arguments by which is derived. says: what it is, in a sentence. lost_digits:
        how many digits its formulas may lose. `known` gives derivatives of shared parts by arguments in better forms,
        on claims that `rests_on` adds. Only kernels of numbers have one.

        >>> import sympy as sp
        >>> x, y = sp.symbols("x y", positive=True)
        >>> area = Kernel("area", state=[x, y], returns={"a": x * y})
        >>> area.jacobian("slopes", [x, y]).returns
        {'da_dx': y, 'da_dy': x}
        """
        numbers = self.of_numbers
        shared, returns = numbers.derivatives(wrt, known or {})
        arguments = ", ".join(v.name for v in wrt)
        return Kernel(
            name,
            says=says or f"The derivatives of {', '.join(self.returns)} ({self.name}) by {arguments}.",
            state=numbers.state,
            params=numbers.params,
            returns=returns,
            domain=numbers.domain,
            rests_on=(*self.rests_on, *rests_on),
            cites=self.cites,
            shared=shared,
            lost_digits=lost_digits,
        )

    def along(self) -> Kernel:
        """The kernel of the derivatives of all returns along a direction, named NAME_jvp: J v for the Jacobian J.

        It takes the arguments, then for each of them its part `along_x` of the direction v, and returns `along_a`.

        >>> import sympy as sp
        >>> x, y = sp.symbols("x y", positive=True)
        >>> product = Kernel("area", state=[x, y], returns={"a": x * y}).along()
        >>> product.name, product.arguments
        ('area_jvp', ('x', 'y', 'along_x', 'along_y'))
        >>> product.reference([2, 3, 1, 0])
        {'along_a': '3'}
        """
        numbers = self.of_numbers
        direction = {v: sp.Symbol(f"along_{v.name}", real=True) for v in numbers.symbols}
        shared, slope = self._slopes()
        returns = {
            f"along_{name}": sp.Add(*(slope[name, v] * part for v, part in direction.items())) for name in self.returns
        }
        says = f"The derivatives of {', '.join(self.returns)} ({self.name}) along a direction in all arguments."
        return self._derived(f"{self.name}_jvp", says, direction.values(), shared, returns)

    def against(self) -> Kernel:
        """The kernel of the derivatives of a weighted sum of the returns by all arguments, NAME_vjp: w J for weights w.

        It takes the arguments, then for each return its weight `against_a`, and returns `against_x` for each argument.

        >>> import sympy as sp
        >>> x, y = sp.symbols("x y", positive=True)
        >>> product = Kernel("area", state=[x, y], returns={"a": x * y}).against()
        >>> product.reference([2, 3, 1])
        {'against_x': '3', 'against_y': '2'}
        """
        weights = {name: sp.Symbol(f"against_{name}", real=True) for name in self.returns}
        shared, slope = self._slopes()
        returns = {
            f"against_{v.name}": sp.Add(*(slope[name, v] * weight for name, weight in weights.items()))
            for v in self.of_numbers.symbols
        }
        says = f"The derivatives of a weighted sum of {', '.join(self.returns)} ({self.name}) by all arguments."
        return self._derived(f"{self.name}_vjp", says, weights.values(), shared, returns)

    def _slopes(self) -> tuple[list[tuple[Any, Any]], dict[tuple[str, Any], Any]]:
        """Shared parts, and by return and argument the derivative, which is one of them where it has branches."""
        numbers = self.of_numbers.without_sizes()
        shared, slopes = numbers.derivatives(numbers.symbols, {})
        by_pair: dict[tuple[str, Any], Any] = {}
        for name in self.returns:
            for v in numbers.symbols:
                slope = by_pair[name, v] = slopes[f"d{name}_d{v.name}"]
                if isinstance(slope, sp.Piecewise):
                    by_pair[name, v] = sp.Symbol(f"d{name}_d{v.name}", real=True)
                    shared.append((by_pair[name, v], slope))
        return shared, by_pair

    def _derived(
        self, name: str, says: str, further: Iterable[Any], shared: list[tuple[Any, Any]], returns: Mapping[str, Any]
    ) -> Kernel:
        """A kernel of derivatives, which takes further numbers behind the arguments."""
        numbers = self.of_numbers
        return Kernel(
            name,
            says=says,
            state=numbers.state,
            params=(*numbers.params, *further),
            returns=returns,
            domain=numbers.domain,
            rests_on=self.rests_on,
            cites=self.cites,
            shared=shared,
            lost_digits=self.lost_digits,
        )

    # --- parts of kernels of numbers ----------------------------------------------------------------------------------

    @property
    def of_numbers(self) -> Numbers:
        """The formulas of a kernel of numbers; refused for any other."""
        if not isinstance(self.content, Numbers):
            raise KernelError(f"{self.name} is a kernel {self.content.kind}: only kernels of numbers have this")
        return self.content

    @property
    def state(self) -> tuple[Any, ...]:
        return self.of_numbers.state

    @property
    def params(self) -> tuple[Any, ...]:
        return self.of_numbers.params

    @property
    def shared(self) -> tuple[tuple[Any, Any], ...]:
        return self.of_numbers.shared

    @property
    def domain(self) -> tuple[Any, ...]:
        return self.of_numbers.domain
