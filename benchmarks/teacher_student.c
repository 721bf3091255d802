/* The flow of the order parameters for g(x) = erf(x/sqrt 2), written by hand in loops that a compiler vectorises.

   As numerics/theory/erf_flow.py: condition on field i, then on field k, and sum the weighted arcsines of all pairs, by
   the same polynomial. SERIES holds its coefficients. Soft committees only; T is the identity. */

#include <math.h>

#define MOST 64 /* fields */
#define REACH 0.6
#define TERMS 16

static const double series[TERMS] = {SERIES};

static void rates(int K, double eta, const double *s, const double *weights, const double *state, double *out)
{
    static double C[MOST * MOST], A[MOST * MOST], x[MOST * (MOST + 1) / 2];
    double a[MOST], b[MOST], r[MOST];
    int n = 2 * K, first_R = K * (K + 1) / 2, at = 0;
    for (int i = 0; i < K; i++)
        for (int k = 0; k <= i; k++, at++)
            C[i * n + k] = C[k * n + i] = state[at];
    for (int i = 0; i < K; i++)
        for (int m = 0; m < K; m++, at++)
            C[i * n + K + m] = C[(K + m) * n + i] = state[at];
    for (int m = 0; m < K; m++)
        for (int l = 0; l < K; l++)
            C[(K + m) * n + K + l] = m == l;
    for (int p = 0; p < first_R; p++)
        out[p] = 0;
    for (int i = 0; i < K; i++) {
        double across = 1 / sqrt(1 + C[i * n + i]), linear = eta * (2 / M_PI) * across;
        for (int f = 0; f < n; f++)
            a[f] = across * C[i * n + f];
        for (int c = 0; c < n; c++)
            for (int f = 0; f < n; f++)
                A[c * n + f] = C[c * n + f] - a[c] * a[f];
        for (int f = 0; f < n; f++)
            r[f] = s[f] / sqrt(1 + A[f * n + f]);
        for (int f = 0; f < n; f++) {
            double total = 0;
            for (int c = 0; c < n; c++)
                total += A[f * n + c] * r[c];
            total *= linear;
            if (f >= K)
                out[first_R + i * K + f - K] = total;
            else if (f > i)
                out[f * (f + 1) / 2 + i] += total;
            else
                out[i * (i + 1) / 2 + f] += f == i ? 2 * total : total;
        }
        for (int k = 0; k <= i; k++) {
            double across_k = 1 / sqrt(1 + A[k * n + k]), total = 0, largest = 0;
            int pairs = 0;
            for (int f = 0; f < n; f++)
                b[f] = across_k * A[k * n + f];
            for (int f = 0; f < n; f++)
                r[f] = 1 / sqrt(1 + A[f * n + f] - b[f] * b[f]);
            for (int c = 0; c < n; c++, pairs += c)
                for (int d = 0; d <= c; d++)
                    x[pairs + d] = (A[c * n + d] - b[c] * b[d]) * (r[c] * r[d]);
            for (int p = 0; p < pairs; p++)
                largest = fabs(x[p]) > largest ? fabs(x[p]) : largest;
            if (largest <= REACH)
                for (int p = 0; p < pairs; p++) {
                    double square = x[p] * x[p], value = series[TERMS - 1];
                    for (int term = TERMS - 2; term >= 0; term--)
                        value = value * square + series[term];
                    total += weights[p] * (x[p] + x[p] * square * value);
                }
            else
                for (int p = 0; p < pairs; p++)
                    total += weights[p] * asin(x[p]);
            out[i * (i + 1) / 2 + k] += eta * eta * (4 / (M_PI * M_PI)) * across * across_k * total;
        }
    }
}

void repeat(int times, int K, double eta, const double *s, const double *weights, const double *state, double *out)
{
    while (times--)
        rates(K, eta, s, weights, state, out);
}
