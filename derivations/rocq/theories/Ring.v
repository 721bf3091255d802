(* Equations and signs by polynomials: each step of a certificate is computed, and what it adds is shown to hold. *)
From Derivations Require Export Polynomials.
Local Open Scope R_scope.

Ltac run :=
  repeat match goal with
  | H : None = Some _ |- _ => discriminate H
  | H : false = true |- _ => discriminate H
  | H : Some _ = Some _ |- _ => injection H; clear H; intros; subst
  | H : (if ?x then _ else _) = Some _ |- _ => destruct x eqn:?
  | H : match ?x with _ => _ end = Some _ |- _ => destruct x eqn:?
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  end.

(* --- signs that formulas have by their form ---------------------------------------------------------------------- *)

Inductive sign := Any | NotNegative | Positive.
Definition signed (s : sign) (x : R) : Prop := match s with Any => True | NotNegative => 0 <= x | Positive => 0 < x end.

Definition of_sum (s t : sign) : sign :=
  match s, t with Any, _ | _, Any => Any | NotNegative, NotNegative => NotNegative | _, _ => Positive end.
Definition of_product (s t : sign) : sign :=
  match s, t with Any, _ | _, Any => Any | Positive, Positive => Positive | _, _ => NotNegative end.

Fixpoint is_known (r : rel) (t : formula) (l : list relation) : bool :=
  match l with
  | [] => false
  | (s, a, Num Z0 xH) :: l => (implies s r && same a t) || is_known r t l
  | _ :: l => is_known r t l
  end.

Lemma is_known_ok e r t l : all_valid e l -> is_known r t l = true -> compare r (ev e t) 0.
Proof.
  induction l as [|[[s a] b] l IH]; simpl; [discriminate|]. intros [V W] H.
  destruct b; try (apply IH; assumption). destruct p; try (apply IH; assumption).
  destruct q; try (apply IH; assumption). apply orb_prop in H. destruct H as [H|H]; [|apply IH; assumption].
  apply andb_prop in H. destruct H as [H K]. apply same_ok in K. subst. exact (implies_ok _ _ _ _ H V).
Qed.

Definition refined (known : list relation) (t : formula) (s : sign) : sign :=
  match s with
  | Positive => Positive
  | _ => if is_known Gt0 t known then Positive else if is_known Ge0 t known then NotNegative else s
  end.

Fixpoint sign_of (known : list relation) (t : formula) : sign :=
  refined known t
    match t with
    | Num (Zpos _) _ | Pi | Exponential _ _ | Fun Exp _ | Fun Cosh _ => Positive
    | Num Z0 _ | Fun Abs _ => NotNegative
    | Add a b => of_sum (sign_of known a) (sign_of known b)
    | Mul a b => of_product (sign_of known a) (sign_of known b)
    | Pow a k =>
        match sign_of known a with
        | Positive => Positive
        | s => if Z.even k then if is_known Ne0 a known then Positive else NotNegative else s
        end
    | Root a k => match sign_of known a with Positive => Positive | _ => NotNegative end
    | _ => Any
    end.

Lemma inverse_ge x : 0 <= x -> 0 <= / x.
Proof. intros [H|<-]; [left; apply Rinv_0_lt_compat; exact H | rewrite Rinv_0; lra]. Qed.

Lemma power_gt x k : 0 < x -> 0 < power x k.
Proof.
  intros H. destruct k; [simpl; lra | rewrite power_pos; apply pow_lt; exact H |].
  rewrite power_neg. apply Rinv_0_lt_compat, pow_lt, H.
Qed.

Lemma power_ge x k : 0 <= x -> 0 <= power x k.
Proof.
  intros H. destruct k; [simpl; lra | rewrite power_pos; apply pow_le; exact H |].
  rewrite power_neg. apply inverse_ge, pow_le, H.
Qed.

Lemma pow_twice x n : x ^ Pos.to_nat (xO n) = x ^ Pos.to_nat n * x ^ Pos.to_nat n.
Proof. rewrite Pos2Nat.inj_xO, <- pow_add. f_equal. lia. Qed.

Lemma power_even x k : Z.even k = true -> 0 <= power x k.
Proof.
  destruct k as [|[p|p|]|[p|p|]]; simpl Z.even; intros H; try discriminate H; [simpl; lra | |].
  - rewrite power_pos, pow_twice. apply Rle_0_sqr.
  - rewrite power_neg, pow_twice. apply inverse_ge, Rle_0_sqr.
Qed.

Lemma power_even_gt x k : x <> 0 -> Z.even k = true -> 0 < power x k.
Proof.
  intros N H. destruct (power_even x k H) as [P|E]; [exact P | exfalso].
  destruct k; [simpl in E; lra | rewrite power_pos in E | rewrite power_neg in E].
  - exact (pow_nonzero _ _ N (eq_sym E)).
  - exact (Rinv_neq_0_compat _ (pow_nonzero _ _ N) (eq_sym E)).
Qed.

Lemma of_sum_ok s t x y : signed s x -> signed t y -> signed (of_sum s t) (x + y).
Proof. destruct s, t; simpl; intros; trivial; lra. Qed.

Lemma of_product_ok s t x y : signed s x -> signed t y -> signed (of_product s t) (x * y).
Proof.
  destruct s, t; simpl; intros; trivial; try (apply Rmult_le_pos; lra). apply Rmult_lt_0_compat; assumption.
Qed.

Lemma number_ge p q : 0 <= IZR p -> 0 <= number p q.
Proof.
  intros H. unfold number. destruct q; try exact H; apply Rmult_le_pos; try exact H; apply inverse_ge; apply IZR_le; lia.
Qed.

Lemma number_gt p q : 0 < IZR p -> 0 < number p q.
Proof. intros H. unfold number. destruct q; try exact H; apply Rdiv_lt_0_compat; try exact H; apply IZR_lt; lia. Qed.

Lemma cosh_gt x : 0 < cosh x.
Proof. unfold cosh. assert (A := exp_pos x). assert (B := exp_pos (- x)). lra. Qed.

Lemma sign_ok e known t : all_valid e known -> signed (sign_of known t) (ev e t).
Proof.
  intros V.
  assert (K : forall t s, signed s (ev e t) -> signed (refined known t s) (ev e t)).
  { intros t' s H. unfold refined. destruct s; [| |exact H];
      destruct (is_known Gt0 t' known) eqn:G; try (exact (is_known_ok e Gt0 t' known V G));
      destruct (is_known Ge0 t' known) eqn:G'; try exact H; exact (is_known_ok e Ge0 t' known V G'). }
  induction t; cbn [sign_of]; apply K.
  - exact I.
  - destruct p; [apply number_ge; simpl; lra | apply number_gt; apply IZR_lt; lia | exact I].
  - exact PI_RGT_0.
  - apply of_sum_ok; assumption.
  - apply of_product_ok; assumption.
  - cbn [ev]. destruct (sign_of known t) eqn:S; simpl in IHt.
    + destruct (Z.even k) eqn:E; [|exact I]. destruct (is_known Ne0 t known) eqn:N.
      * apply power_even_gt; [exact (is_known_ok e Ne0 t known V N) | exact E].
      * apply power_even; exact E.
    + destruct (Z.even k) eqn:E; [|apply power_ge; exact IHt]. destruct (is_known Ne0 t known) eqn:N.
      * apply power_even_gt; [exact (is_known_ok e Ne0 t known V N) | exact E].
      * apply power_even; exact E.
    + apply power_gt; exact IHt.
  - cbn [ev]. destruct (sign_of known t) eqn:S; simpl in IHt; try (apply power_ge, sqrt_pos).
    apply power_gt, sqrt_lt_R0, IHt.
  - apply exp_pos.
  - destruct f; try exact I; [apply exp_pos | apply cosh_gt | apply Rabs_pos].
Qed.

(* --- fractions ----------------------------------------------------------------------------------------------------- *)

Definition fraction := (poly * poly)%type.
Definition fact := (poly * rel)%type.
(* a common divisor of two denominators, and what it leaves of the second and of the first *)
Definition hint := (poly * poly * poly)%type.
Definition entry := (formula * fraction)%type.

Definition fadd (f g : fraction) (hs : list hint) : option (fraction * list hint) :=
  let '(n, d) := f in
  let '(m, c) := g in
  if peq d pone then
    if peq c pone then Some ((padd n m, pone), hs) else Some ((padd (pmul n c) m, c), hs)
  else if peq c pone then Some ((padd n (pmul m d), d), hs)
  else
    match hs with
    | (k, u, v) :: hs =>
        if peq (pmul k u) c && peq (pmul k v) d
        then Some ((padd (pmul n u) (pmul m v), pmul d u), hs)
        else None
    | [] => None
    end.
Definition fmul (f g : fraction) : fraction := (pmul (fst f) (fst g), pmul (snd f) (snd g)).
Definition fpow (f : fraction) (n : positive) : fraction := (ppow (fst f) n, ppow (snd f) n).
Definition fneg (f : fraction) : fraction := (popp (fst f), snd f).

Definition number_is (r : rel) (q : Q) : bool :=
  match r, Qnum q with
  | Eq0, Z0 | Ne0, (Zpos _ | Zneg _) | Gt0, Zpos _ | Ge0, (Z0 | Zpos _) => true
  | _, _ => false
  end.

Definition fact_known (facts : list fact) (p : poly) (r : rel) : bool :=
  match constant p with
  | Some q => number_is r q
  | None =>
      existsb (fun f : fact =>
        (implies (snd f) r && peq (fst f) p) || (rel_eqb r Ne0 && implies (snd f) Ne0 && peq (popp (fst f)) p)) facts
  end.

Fixpoint lookup (t : formula) (table : list entry) : option fraction :=
  match table with [] => None | (s, f) :: table => if same s t then Some f else lookup t table end.

Section Steps.
Variable known : list relation.
Variable gens : list formula.

Definition apart (facts : list fact) (a : formula) (n : poly) : bool :=
  is_known Ne0 a known || match sign_of known a with Positive => true | _ => false end || fact_known facts n Ne0.

Fixpoint frac (table : list entry) (facts : list fact) (t : formula) (hs : list hint) : option (fraction * list hint) :=
  match t with
  | Num p q => Some ((pconst (Qmake p q), pone), hs)
  | Add a b =>
      match frac table facts a hs with
      | Some (f, hs) => match frac table facts b hs with Some (g, hs) => fadd f g hs | None => None end
      | None => None
      end
  | Mul a b =>
      match frac table facts a hs with
      | Some (f, hs) => match frac table facts b hs with Some (g, hs) => Some (fmul f g, hs) | None => None end
      | None => None
      end
  | Pow a k =>
      match frac table facts a hs with
      | Some (f, hs) =>
          match k with
          | Z0 => Some ((pone, pone), hs)
          | Zpos j => Some (fpow f j, hs)
          | Zneg j => if apart facts a (fst f) then Some (fpow (snd f, fst f) j, hs) else None
          end
      | None => None
      end
  | _ => match lookup t table with Some f => Some (f, hs) | None => None end
  end.

(* --- products and sums of facts ---------------------------------------------------------------------------------- *)

Record gathered := { value : poly; some_zero : bool; some_ge : bool; odd : list nat }.

Fixpoint toggle (k : nat) (l : list nat) : list nat :=
  match l with [] => [k] | j :: l => if Nat.eqb j k then l else j :: toggle k l end.

Definition with_fact (k : nat) (f : fact) (g : gathered) : gathered :=
  let p := pmul (fst f) (value g) in
  match snd f with
  | Eq0 => {| value := p; some_zero := true; some_ge := some_ge g; odd := odd g |}
  | Ge0 => {| value := p; some_zero := some_zero g; some_ge := true; odd := odd g |}
  | Gt0 => {| value := p; some_zero := some_zero g; some_ge := some_ge g; odd := odd g |}
  | Ne0 => {| value := p; some_zero := some_zero g; some_ge := some_ge g; odd := toggle k (odd g) |}
  end.

Fixpoint product (facts : list fact) (ks : list nat) : option gathered :=
  match ks with
  | [] => Some {| value := pone; some_zero := false; some_ge := false; odd := [] |}
  | k :: ks =>
      match nth_error facts k with
      | Some f => match product facts ks with Some g => Some (with_fact k f g) | None => None end
      | None => None
      end
  end.

Definition relation_of (g : gathered) : option rel :=
  if some_zero g then Some Eq0
  else match odd g with
    | [] => Some (if some_ge g then Ge0 else Gt0)
    | _ => if some_ge g then None else Some Ne0
    end.

Definition total := list (poly * list nat).

Definition weighted (w : poly) (r : rel) : option (list rel) :=
  match r with
  | Eq0 => Some []
  | _ =>
      match constant w with
      | Some q => match Qnum q, r with Zpos _, _ => Some [r] | Zneg _, (Ne0 | Gt0) => Some [Ne0] | _, _ => None end
      | None => None
      end
  end.

Fixpoint sum (facts : list fact) (l : total) : option (poly * list rel) :=
  match l with
  | [] => Some (pconst 0, [])
  | (w, ks) :: l =>
      match product facts ks with
      | Some g =>
          match relation_of g with
          | Some r =>
              match weighted w r with
              | Some rs =>
                  match sum facts l with
                  | Some (p, rs') => Some (padd (pmul w (value g)) p, rs ++ rs')
                  | None => None
                  end
              | None => None
              end
          | None => None
          end
      | None => None
      end
  end.

Definition of_relations (rs : list rel) : option rel :=
  match rs with
  | [] => Some Eq0
  | [r] => Some r
  | _ =>
      if forallb (fun r => match r with Gt0 | Ge0 => true | _ => false end) rs
      then Some (if existsb (rel_eqb Gt0) rs then Gt0 else Ge0)
      else None
  end.

Definition divided (k factor : rel) : option rel :=
  match k, factor with
  | Eq0, (Ne0 | Gt0) => Some Eq0
  | Gt0, (Gt0 | Ge0) => Some Gt0
  | Ge0, Gt0 => Some Ge0
  | (Gt0 | Ne0), _ => Some Ne0
  | _, _ => None
  end.

(* the relation to zero of a polynomial whose product with some facts is a sum of products of facts *)
Definition shown (facts : list fact) (p : poly) (times : list nat) (l : total) : option rel :=
  match product facts times with
  | Some g =>
      match relation_of g with
      | Some factor =>
          match sum facts l with
          | Some (q, rs) =>
              match of_relations rs with
              | Some k => if peq (pmul p (value g)) q then divided k factor else None
              | None => None
              end
          | None => None
          end
      | None => None
      end
  | None => None
  end.

(* --- steps ----------------------------------------------------------------------------------------------------------- *)

(* a whole multiple, or power, of a generator *)
Inductive multiple := Multiple (k : Z) (i : positive).

Inductive step :=
| Generator (k : positive)
| RewriteExp (t : formula) (powers : list multiple) (times : list nat) (l : total)
| RewriteLog (t : formula) (powers : list multiple) (times : list nat) (l : total)
| RewriteRoot (a : formula) (k : Z) (n d : poly) (m : positive) (times : list nat) (l : total)
| RewriteOther (f : func) (t : formula) (opposite : bool) (k : positive) (times : list nat) (l : total)
| Given (k : nat)
| Value (t : formula)
| Denominator (t : formula)
| Sign (k : positive) (strict : bool)
| Square_root (k : positive)
| Square (p : poly)
| Factor (p q : poly) (ks : list nat)
| Exponent (t : formula) (p : poly) (times : list nat) (l : total)
| Over (p : poly) (times : list nat) (l : total)
| Total (l : total).

Record state := { table : list entry; facts : list fact; hints : list hint }.
Definition gen (k : positive) : formula := BinList.nth (Num 0 1) k gens.

Definition learn (s : state) (t : formula) (f : fraction) (hs : list hint) : state :=
  {| table := (t, f) :: table s; facts := facts s; hints := hs |}.
Definition add_fact (s : state) (p : poly) (r : rel) (hs : list hint) : state :=
  {| table := table s; facts := facts s ++ [(p, r)]; hints := hs |}.

Definition difference (s : state) (a b : formula) (hs : list hint) : option (fraction * list hint) :=
  match frac (table s) (facts s) b hs with
  | Some (g, hs) => match frac (table s) (facts s) a hs with Some (f, hs) => fadd f (fneg g) hs | None => None end
  | None => None
  end.
(* what has the relation to zero of a fraction *)
Definition numerator (r : rel) (f : fraction) : poly :=
  match r with Eq0 | Ne0 => fst f | _ => pmul (fst f) (snd f) end.

Definition scaled (k : Z) (f : fraction) : fraction := (pmul (fst f) (pconst (Qmake k 1)), snd f).
Definition raised_to (k : Z) (f : fraction) : option fraction :=
  match k with Z0 => None | Zpos n => Some (fpow f n) | Zneg n => Some (fpow (snd f, fst f) n) end.

(* the sum of multiples k a, and the product of powers f^k, where a generator f is a function of a *)
Fixpoint of_powers (s : state) (head : func) (powers : list multiple) (added multiplied : fraction)
    (hs : list hint) : option (fraction * fraction * list hint) :=
  match powers with
  | [] => Some (added, multiplied, hs)
  | Multiple k i :: powers =>
      match gen i with
      | Fun f a =>
          if func_eqb f head then
            match frac (table s) (facts s) a hs with
            | Some (inside, hs) =>
                let generator := (pvar i, pone) in
                let '(term, factor) := match head with Exp => (inside, generator) | _ => (generator, inside) end in
                match fadd added (scaled k term) hs with
                | Some (added, hs) =>
                    match raised_to k factor with
                    | Some factor =>
                        if match head with Exp => true | _ => match sign_of known a with Positive => true | _ =>
                             fact_known (facts s) (pmul (fst inside) (snd inside)) Gt0 end end
                        then of_powers s head powers added (fmul multiplied factor) hs
                        else None
                    | None => None
                    end
                | None => None
                end
            | None => None
            end
          else None
      | _ => None
      end
  end.

Definition crossed (f g : fraction) : poly := psub (pmul (fst f) (snd g)) (pmul (fst g) (snd f)).
Definition is_odd (f : func) : bool := match f with Sin | Asin | Atan => true | _ => false end.
Definition is_even (f : func) : bool := match f with Cos | Abs => true | _ => false end.

Definition equal (s : state) (f g : fraction) (times : list nat) (l : total) : bool :=
  match shown (facts s) (crossed f g) times l with Some Eq0 => true | _ => false end.

Definition own_demand (t : formula) : option (rel * formula) :=
  match t with
  | Fun Log a | Exponential a _ => Some (Gt0, a)
  | Fun Asin a => Some (Ge0, Add (Num 1 1) (Mul (Num (-1) 1) (Pow a 2)))
  | Root a (Zneg _) => Some (Gt0, a)
  | Root a _ => Some (Ge0, a)
  | Pow a (Zneg _) => Some (Ne0, a)
  | _ => None
  end.

Definition is_so (r : rel) (t : formula) : bool :=
  is_known r t known
  || match r, sign_of known t with (Gt0 | Ge0 | Ne0), Positive | Ge0, NotNegative => true | _, _ => false end.

Definition take (s : state) (st : step) : option state :=
  match st with
  | Generator k => Some (learn s (gen k) (pvar k, pone) (hints s))
  | RewriteExp t powers times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (argument, hs) =>
          match of_powers s Exp powers (pconst 0, pone) (pone, pone) hs with
          | Some (added, multiplied, hs) =>
              if equal s argument added times l then Some (learn s (Fun Exp t) multiplied hs) else None
          | None => None
          end
      | None => None
      end
  | RewriteLog t powers times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (argument, hs) =>
          match of_powers s Log powers (pconst 0, pone) (pone, pone) hs with
          | Some (added, multiplied, hs) =>
              if equal s argument multiplied times l then Some (learn s (Fun Log t) added hs) else None
          | None => None
          end
      | None => None
      end
  | RewriteRoot a k n d m times l =>
      match frac (table s) (facts s) a (hints s) with
      | Some (f, hs) =>
          let may := match k with Zpos _ => is_so Ge0 a || fact_known (facts s) (pmul (fst f) (snd f)) Ge0
                     | _ => is_so Gt0 a || fact_known (facts s) (pmul (fst f) (snd f)) Gt0 end in
          let one := fpow (n, d) (2 * m) in
          match raised_to (k * Zpos m) f with
          | Some other =>
              if may && fact_known (facts s) d Ne0 && fact_known (facts s) (pmul n d) Ge0 && equal s one other times l
              then Some (learn s (Root a k) (n, d) hs)
              else None
          | None => None
          end
      | None => None
      end
  | RewriteOther f t opposite k times l =>
      match frac (table s) (facts s) t (hints s), gen k with
      | Some (argument, hs), Fun g a =>
          match frac (table s) (facts s) a hs with
          | Some (other, hs) =>
              if func_eqb f g && (negb opposite || is_odd f || is_even f)
                && equal s argument (if opposite then fneg other else other) times l
              then Some (learn s (Fun f t) (if opposite && is_odd f then popp (pvar k) else pvar k, pone) hs)
              else None
          | None => None
          end
      | _, _ => None
      end
  | Given k =>
      match nth_error known k with
      | Some (r, a, b) =>
          match difference s a b (hints s) with
          | Some (f, hs) => Some (add_fact s (numerator r f) r hs)
          | None => None
          end
      | None => None
      end
  | Value t =>
      match own_demand t with
      | Some (r, a) =>
          if is_so r a then
            match frac (table s) (facts s) a (hints s) with
            | Some (f, hs) => Some (add_fact s (numerator r f) r hs)
            | None => None
            end
          else None
      | None => None
      end
  | Denominator t =>
      match frac (table s) (facts s) t (hints s) with
      | Some (f, hs) => Some (add_fact s (snd f) Ne0 hs)
      | None => None
      end
  | Sign k strict =>
      match sign_of known (gen k), strict with
      | Positive, true => Some (add_fact s (pvar k) Gt0 (hints s))
      | (Positive | NotNegative), false => Some (add_fact s (pvar k) Ge0 (hints s))
      | _, _ => None
      end
  | Square_root k =>
      match gen k with
      | Root a 1 =>
          match frac (table s) (facts s) a (hints s) with
          | Some (f, hs) =>
              if is_so Ge0 a || fact_known (facts s) (pmul (fst f) (snd f)) Ge0
              then Some (add_fact s (psub (pmul (ppow (pvar k) 2) (snd f)) (fst f)) Eq0 hs)
              else None
          | None => None
          end
      | _ => None
      end
  | Square p => Some (add_fact s (pmul p p) Ge0 (hints s))
  | Factor p q ks =>
      match product (facts s) ks with
      | Some g =>
          match relation_of g with
          | Some r => if implies r Ne0 && peq (pmul p q) (value g) then Some (add_fact s p Ne0 (hints s)) else None
          | None => None
          end
      | None => None
      end
  | Exponent t p times l =>
      match frac (table s) (facts s) t (hints s) with
      | Some (inside, hs) =>
          match frac (table s) (facts s) (Fun Exp t) hs with
          | Some (whole, hs) =>
              match shown (facts s) (pmul p (pmul (fst inside) (snd inside))) times l with
              | Some ((Gt0 | Ge0) as r) =>
                  Some (add_fact s (pmul p (pmul (psub (fst whole) (snd whole)) (snd whole))) r hs)
              | _ => None
              end
          | None => None
          end
      | None => None
      end
  | Over p times l =>
      match shown (facts s) p times l with Some r => Some (add_fact s p r (hints s)) | None => None end
  | Total l =>
      match sum (facts s) l with
      | Some (p, rs) => match of_relations rs with Some r => Some (add_fact s p r (hints s)) | None => None end
      | None => None
      end
  end.

Fixpoint take_all (s : state) (l : list step) : option state :=
  match l with [] => Some s | st :: l => match take s st with Some s => take_all s l | None => None end end.

Definition proves (hs : list hint) (steps : list step) (times : list nat) (l : total) (r : rel) (a b : formula) : bool :=
  match take_all {| table := []; facts := []; hints := hs |} steps with
  | Some s =>
      match difference s a b (hints s) with
      | Some (f, _) => match shown (facts s) (numerator r f) times l with Some k => implies k r | None => false end
      | None => false
      end
  | None => false
  end.

End Steps.

(* --- what is computed holds ------------------------------------------------------------------------------------------ *)

Section Sound.
Variable e : list R.
Variable known : list relation.
Variable gens : list formula.
Hypothesis valid_known : all_valid e known.
Let l := map (ev e) gens.

Definition means (x : R) (f : fraction) : Prop := peval l (snd f) <> 0 /\ x = peval l (fst f) / peval l (snd f).
Definition true_fact (f : fact) : Prop := compare (snd f) (peval l (fst f)) 0.
Definition true_entry (s : entry) : Prop := means (ev e (fst s)) (snd s).

Lemma one_apart : peval l pone <> 0.
Proof. rewrite pone_ok. lra. Qed.

Lemma fadd_ok x y f g hs h hs' : means x f -> means y g -> fadd f g hs = Some (h, hs') -> means (x + y) h.
Proof.
  destruct f as [n d], g as [m c]. unfold means. simpl. intros [D ->] [C ->] H. unfold fadd in H.
  run; simpl; rewrite ?padd_ok, ?pmul_ok;
    repeat match goal with H : peq _ _ = true |- _ => apply (peq_ok l) in H; rewrite ?pmul_ok, ?pone_ok in H end.
  - rewrite Heqb, Heqb0, pone_ok. split; [lra | field].
  - rewrite Heqb. split; [exact C | field; exact C].
  - rewrite Heqb0. split; [exact D | field; exact D].
  - rewrite <- H in C. rewrite <- H0 in D. rewrite <- H, <- H0.
    assert (peval l p2 <> 0) by (intro E; apply C; rewrite E; ring).
    assert (peval l p1 <> 0) by (intro E; apply C; rewrite E; ring).
    assert (peval l p0 <> 0) by (intro E; apply D; rewrite E; ring).
    split; [|field; repeat split; assumption]. repeat apply Rmult_integral_contrapositive_currified; assumption.
Qed.

Lemma fmul_ok x y f g : means x f -> means y g -> means (x * y) (fmul f g).
Proof.
  unfold means, fmul. simpl. intros [D ->] [C ->]. rewrite !pmul_ok. split; [|field; split; assumption].
  apply Rmult_integral_contrapositive_currified; assumption.
Qed.

Lemma fpow_ok x f n : means x f -> means (x ^ Pos.to_nat n) (fpow f n).
Proof.
  unfold means, fpow. simpl. intros [D ->]. rewrite !ppow_ok. split; [apply pow_nonzero; exact D|].
  unfold Rdiv. rewrite Rpow_mult_distr, pow_inv. reflexivity.
Qed.

Lemma fneg_ok x f : means x f -> means (- x) (fneg f).
Proof. unfold means, fneg. simpl. intros [D ->]. rewrite popp_ok. split; [exact D | field; exact D]. Qed.

Lemma inverse_ok x f : means x f -> peval l (fst f) <> 0 -> means (/ x) (snd f, fst f).
Proof. unfold means. simpl. intros [D ->] N. split; [exact N | field; split; assumption]. Qed.

Lemma number_is_ok r q : number_is r q = true -> compare r (Q2R q) 0.
Proof.
  unfold number_is, Q2R. destruct q as [n d]. simpl. assert (P : 0 < / IZR (Zpos d)) by (apply Rinv_0_lt_compat, IZR_lt; lia).
  destruct r, n; intros H; try discriminate H; simpl.
  - ring.
  - assert (0 < IZR (Zpos p)) by (apply IZR_lt; lia). nra.
  - assert (IZR (Zneg p) < 0) by (apply IZR_lt; lia). nra.
  - assert (0 < IZR (Zpos p)) by (apply IZR_lt; lia). nra.
  - lra.
  - assert (0 < IZR (Zpos p)) by (apply IZR_lt; lia). nra.
Qed.

Lemma fact_known_ok facts p r : Forall true_fact facts -> fact_known facts p r = true -> compare r (peval l p) 0.
Proof.
  intros F H. unfold fact_known in H. destruct (constant p) eqn:C.
  - rewrite (constant_ok l p q C). apply number_is_ok. exact H.
  - apply existsb_exists in H. destruct H as [[q s] [I H]]. rewrite Forall_forall in F. assert (T := F _ I).
    unfold true_fact in T. simpl in *. apply orb_prop in H. destruct H as [H|H]; run.
    + rewrite <- (peq_ok l _ _ H0). exact (implies_ok _ _ _ _ H T).
    + destruct r; try discriminate H. apply (peq_ok l) in H0. rewrite popp_ok in H0. simpl. rewrite <- H0.
      assert (K := implies_ok _ _ _ _ H1 T). simpl in K. lra.
Qed.

Lemma lookup_ok t table f : Forall true_entry table -> lookup t table = Some f -> means (ev e t) f.
Proof.
  induction 1 as [|[s g] table V W IH]; simpl; [discriminate|]. destruct (same s t) eqn:S; [|exact IH].
  intros H. run. apply same_ok in S. subst. exact V.
Qed.

Lemma apart_ok facts a n d :
  Forall true_fact facts -> means (ev e a) (n, d) -> apart known facts a n = true -> peval l n <> 0.
Proof.
  intros F [D M] H. simpl in *. unfold apart in H. apply orb_prop in H. destruct H as [H|H]; [apply orb_prop in H; destruct H as [H|H]|].
  - assert (K := is_known_ok e Ne0 a known valid_known H). simpl in K. intro E. apply K. rewrite M, E. unfold Rdiv. ring.
  - assert (K := sign_ok e known a valid_known). destruct (sign_of known a); try discriminate H. simpl in K.
    intro E. rewrite M, E in K. unfold Rdiv in K. lra.
  - exact (fact_known_ok facts n Ne0 F H).
Qed.

Lemma frac_ok table facts : Forall true_entry table -> Forall true_fact facts ->
  forall t hs q hs', frac known table facts t hs = Some (q, hs') -> means (ev e t) q.
Proof.
  intros T F. induction t; intros hs q' hs' H; simpl in H; try (run; eapply lookup_ok; eassumption).
  - run. unfold means. simpl. rewrite pone_ok, pconst_ok, <- number_ok. split; [lra | field].
  - run. simpl. eapply fadd_ok; eauto.
  - run. simpl. apply fmul_ok; eauto.
  - destruct (frac known table facts t hs) as [[g hs1]|] eqn:G; [|discriminate H]. assert (M := IHt _ _ _ G).
    destruct k; run; cbn [ev].
    + unfold means. simpl. rewrite pone_ok. split; [lra | field].
    + rewrite power_pos. apply fpow_ok. exact M.
    + rewrite power_neg. rewrite <- pow_inv. apply fpow_ok. apply inverse_ok; [exact M|].
      destruct g as [n d]. exact (apart_ok facts t n d F M Heqb).
Qed.

(* products and sums *)
Definition at_ (facts : list fact) (k : nat) : R := match nth_error facts k with Some f => peval l (fst f) | None => 1 end.
Definition odds (facts : list fact) (ks : list nat) : R := fold_right (fun k x => at_ facts k * x) 1 ks.

Lemma toggle_ok facts k ks : at_ facts k <> 0 ->
  exists c, 0 < c /\ at_ facts k * odds facts ks = c * odds facts (toggle k ks).
Proof.
  intros N. induction ks as [|j ks [c [P IH]]]; simpl.
  - exists 1. split; [lra | ring].
  - destruct (Nat.eqb j k) eqn:E.
    + apply Nat.eqb_eq in E. subst. exists (at_ facts k * at_ facts k). split; [nra | ring].
    + exists c. split; [exact P|]. simpl.
      replace (at_ facts k * (at_ facts j * odds facts ks)) with (at_ facts j * (at_ facts k * odds facts ks)) by ring.
      rewrite IH. ring.
Qed.

Lemma toggle_in k ks j : In j (toggle k ks) -> j = k \/ In j ks.
Proof.
  induction ks as [|i ks IH]; simpl; [intuition|]. destruct (Nat.eqb i k); simpl; [tauto|]. intros [->|H]; [tauto|].
  destruct (IH H); tauto.
Qed.

Definition good (facts : list fact) (g : gathered) : Prop :=
  (exists c, peval l (value g) = c * odds facts (odd g) /\
    if some_zero g then c = 0 else if some_ge g then 0 <= c else 0 < c)
  /\ forall k, In k (odd g) -> at_ facts k <> 0.

Lemma product_ok facts ks g : Forall true_fact facts -> product facts ks = Some g -> good facts g.
Proof.
  intros F. revert g. induction ks as [|k ks IH]; simpl; intros g H.
  - run. unfold good. simpl. split; [|tauto]. exists 1. rewrite pone_ok. split; [ring | lra].
  - destruct (nth_error facts k) as [[p r]|] eqn:N; [|discriminate H]. run. destruct (IH g0 eq_refl) as [[c [V S]] O].
    assert (T : true_fact (p, r)) by (rewrite Forall_forall in F; apply F; eapply nth_error_In; exact N).
    unfold true_fact in T. simpl in T. assert (A : at_ facts k = peval l p) by (unfold at_; rewrite N; reflexivity).
    destruct r; simpl in T; unfold good, with_fact; simpl; rewrite pmul_ok, V.
    + split; [|exact O]. exists 0. rewrite T. split; [ring | reflexivity].
    + rewrite <- A in T. destruct (toggle_ok facts k (odd g0) T) as [b [P E]]. split.
      * exists (c * b). rewrite <- A. split.
        -- replace (at_ facts k * (c * odds facts (odd g0))) with (c * (at_ facts k * odds facts (odd g0))) by ring.
           rewrite E. ring.
        -- revert S. destruct (some_zero g0); [intros ->; ring|]. destruct (some_ge g0); intros S; nra.
      * intros j J. destruct (toggle_in _ _ _ J) as [->|I]; [exact T | exact (O j I)].
    + split; [|exact O]. exists (peval l p * c). split; [ring|].
      revert S. destruct (some_zero g0); [intros ->; ring|]. destruct (some_ge g0); intros S; nra.
    + split; [|exact O]. exists (peval l p * c). split; [ring|].
      revert S. destruct (some_zero g0); [intros ->; ring|]. destruct (some_ge g0); intros S; nra.
Qed.

Lemma odds_apart facts ks : (forall k, In k ks -> at_ facts k <> 0) -> odds facts ks <> 0.
Proof.
  induction ks as [|k ks IH]; simpl; intros H; [lra|].
  apply Rmult_integral_contrapositive_currified; [apply H; tauto | apply IH; intros j J; apply H; tauto].
Qed.

Lemma relation_of_ok facts g r : good facts g -> relation_of g = Some r -> compare r (peval l (value g)) 0.
Proof.
  intros [[c [V S]] O] H. unfold relation_of in H. rewrite V. revert S H.
  destruct (some_zero g); [intros ->; intros H; run; simpl; ring|].
  destruct (odd g) as [|k ks]; destruct (some_ge g); intros S H; run; simpl odds; simpl compare; try lra.
  apply Rmult_integral_contrapositive_currified; [lra | exact (odds_apart facts (k :: ks) O)].
Qed.

Fixpoint summed (rs : list rel) (x : R) : Prop :=
  match rs with [] => x = 0 | r :: rs => exists a b, x = a + b /\ r <> Eq0 /\ compare r a 0 /\ summed rs b end.

Lemma summed_app rs rs' x y : summed rs x -> summed rs' y -> summed (rs ++ rs') (x + y).
Proof.
  revert x. induction rs as [|r rs IH]; simpl; intros x.
  - intros -> H. replace (0 + y) with y by ring. exact H.
  - intros [a [b [-> [N [C S]]]]] H. exists a, (b + y). split; [ring|]. split; [exact N|]. split; [exact C|].
    apply IH; assumption.
Qed.

Lemma weighted_ok w r rs x : weighted w r = Some rs -> compare r x 0 -> summed rs (peval l w * x).
Proof.
  unfold weighted. destruct r; intros H C; run; simpl in *.
  - rewrite C. ring.
  - rewrite (constant_ok l w q Heqo). exists (Q2R q * x), 0. split; [ring|]. split; [discriminate|]. split; [|reflexivity].
    simpl. apply Rmult_integral_contrapositive_currified; [|exact C].
    apply (number_is_ok Ne0). unfold number_is. rewrite Heqz. reflexivity.
  - rewrite (constant_ok l w q Heqo). exists (Q2R q * x), 0. split; [ring|]. split; [discriminate|]. split; [|reflexivity].
    simpl. apply Rmult_integral_contrapositive_currified; [|exact C].
    apply (number_is_ok Ne0). unfold number_is. rewrite Heqz. reflexivity.
  - rewrite (constant_ok l w q Heqo). exists (Q2R q * x), 0. split; [ring|]. split; [discriminate|]. split; [|reflexivity].
    assert (0 < Q2R q) by (apply (number_is_ok Gt0); unfold number_is; rewrite Heqz; reflexivity). simpl. nra.
  - rewrite (constant_ok l w q Heqo). exists (Q2R q * x), 0. split; [ring|]. split; [discriminate|]. split; [|reflexivity].
    assert (Q2R q <> 0) by (apply (number_is_ok Ne0); unfold number_is; rewrite Heqz; reflexivity). simpl.
    apply Rmult_integral_contrapositive_currified; [assumption | lra].
  - rewrite (constant_ok l w q Heqo). exists (Q2R q * x), 0. split; [ring|]. split; [discriminate|]. split; [|reflexivity].
    assert (0 < Q2R q) by (apply (number_is_ok Gt0); unfold number_is; rewrite Heqz; reflexivity). simpl. nra.
Qed.

Lemma sum_ok facts (items : total) p rs :
  Forall true_fact facts -> sum facts items = Some (p, rs) -> summed rs (peval l p).
Proof.
  intros F. revert p rs. induction items as [|[w ks] items IH]; simpl; intros p rs H.
  - run. rewrite pconst_ok. unfold Q2R. simpl. ring.
  - run. rewrite padd_ok, pmul_ok. apply summed_app; [|eapply IH; reflexivity].
    eapply weighted_ok; [eassumption|]. eapply relation_of_ok; [eapply product_ok; eassumption | assumption].
Qed.

Lemma summed_ge rs x : forallb (fun r => match r with Gt0 | Ge0 => true | _ => false end) rs = true ->
  summed rs x -> 0 <= x /\ (existsb (rel_eqb Gt0) rs = true -> 0 < x).
Proof.
  revert x. induction rs as [|r rs IH]; simpl; intros x H S; [subst; split; [lra | discriminate]|].
  run. destruct S as [a [b [-> [N [C S]]]]]. destruct (IH b H0 S) as [G L].
  destruct r; try discriminate H; simpl in C |- *; split; try lra. intros K. specialize (L K). lra.
Qed.

Lemma of_relations_ok rs r x : of_relations rs = Some r -> summed rs x -> compare r x 0.
Proof.
  unfold of_relations. destruct rs as [|s [|s' rs]]; intros H S.
  - run. exact S.
  - run. destruct S as [a [b [-> [N [C ->]]]]]. rewrite Rplus_0_r. exact C.
  - destruct (forallb _ (s :: s' :: rs)) eqn:G; [|discriminate H]. destruct (summed_ge _ _ G S) as [P Q].
    destruct (existsb (rel_eqb Gt0) (s :: s' :: rs)); run; simpl; [apply Q; reflexivity | lra].
Qed.

Lemma divided_ok k factor r x y : divided k factor = Some r -> compare factor y 0 -> compare k (x * y) 0 -> compare r x 0.
Proof.
  destruct k, factor; simpl; intros H C K; run; simpl; try (intros ->; rewrite Rmult_0_l in K; lra);
    try (destruct (Rmult_integral _ _ K); [assumption | lra]);
    try (destruct (Rle_lt_dec x 0) as [L|L]; [exfalso; nra | exact L]);
    try (destruct (Rlt_le_dec x 0) as [L|L]; [exfalso; nra | lra]).
Qed.

Lemma shown_ok facts p times items r : Forall true_fact facts -> shown facts p times items = Some r -> compare r (peval l p) 0.
Proof.
  intros F H. unfold shown in H. run. apply (peq_ok l) in Heqb. rewrite pmul_ok in Heqb.
  eapply divided_ok; [eassumption| |].
  - eapply relation_of_ok; [eapply product_ok; eassumption | eassumption].
  - rewrite Heqb. eapply of_relations_ok; [eassumption | eapply sum_ok; eassumption].
Qed.

(* steps *)
Definition sound (s : state) : Prop := Forall true_entry (table s) /\ Forall true_fact (facts s).

Lemma gen_ok k : peval l (pvar k) = ev e (gen gens k).
Proof. rewrite pvar_ok. unfold l, gen. apply nth_map. Qed.

Lemma generator_ok k : means (ev e (gen gens k)) (pvar k, pone).
Proof. unfold means. simpl. rewrite pone_ok, gen_ok. split; [lra | field]. Qed.

Lemma learn_ok s t f hs : sound s -> means (ev e t) f -> sound (learn s t f hs).
Proof. intros [T F] M. split; [constructor; assumption | exact F]. Qed.

Lemma add_fact_ok s p r hs : sound s -> compare r (peval l p) 0 -> sound (add_fact s p r hs).
Proof. intros [T F] C. split; [exact T|]. simpl. apply Forall_app. split; [exact F | constructor; [exact C | constructor]]. Qed.

Lemma difference_ok s a b hs f hs' :
  sound s -> difference known s a b hs = Some (f, hs') -> means (ev e a - ev e b) f.
Proof.
  intros [T F] H. unfold difference in H. run. unfold Rminus. eapply fadd_ok; [| |eassumption].
  - eapply frac_ok; eassumption.
  - apply fneg_ok. eapply frac_ok; eassumption.
Qed.

Lemma times_gt x d : d <> 0 -> (0 < x * d <-> 0 < x / d) /\ (0 <= x * d <-> 0 <= x / d).
Proof.
  intros N. assert (S : 0 < d * d) by nra. assert (E : x * d = x / d * (d * d)) by (field; exact N).
  rewrite E. repeat split; intros H; try (apply Rmult_lt_0_compat; assumption); try (apply Rmult_le_pos; lra).
  - destruct (Rle_lt_dec (x / d) 0) as [L|L]; [exfalso; nra | exact L].
  - destruct (Rlt_le_dec (x / d) 0) as [L|L]; [exfalso; nra | exact L].
Qed.

Lemma numerator_ok r f x : means x f -> (compare r (peval l (numerator r f)) 0 <-> compare r x 0).
Proof.
  intros [D ->]. assert (K := times_gt (peval l (fst f)) _ D). destruct r; simpl; rewrite ?pmul_ok; try tauto.
  - split; intros H; [rewrite H; unfold Rdiv; ring|]. unfold Rdiv in H.
    destruct (Rmult_integral _ _ H) as [|I]; [assumption | exfalso; exact (Rinv_neq_0_compat _ D I)].
  - split; intros H E; apply H; [|rewrite E; unfold Rdiv; ring]. unfold Rdiv in E.
    destruct (Rmult_integral _ _ E) as [|I]; [assumption | exfalso; exact (Rinv_neq_0_compat _ D I)].
Qed.

Lemma of_difference r x y : compare r (x - y) 0 <-> compare r x y.
Proof. destruct r; simpl; split; intros; lra. Qed.

Lemma crossed_ok f g x y : means x f -> means y g -> peval l (crossed f g) = 0 -> x = y.
Proof.
  intros [D ->] [C ->]. unfold crossed. rewrite psub_ok, !pmul_ok. intros H.
  apply (Rmult_eq_reg_r (peval l (snd f) * peval l (snd g))); [|apply Rmult_integral_contrapositive_currified; assumption].
  transitivity (peval l (fst f) * peval l (snd g)); [field; assumption|]. 
  transitivity (peval l (fst g) * peval l (snd f)); [lra | field; assumption].
Qed.

Lemma equal_ok s f g x y times items : sound s -> means x f -> means y g -> equal s f g times items = true -> x = y.
Proof.
  intros [T F] M N H. unfold equal in H. destruct (shown (facts s) (crossed f g) times items) as [[]|] eqn:E; try discriminate H.
  eapply crossed_ok; [eassumption | eassumption |]. exact (shown_ok _ _ _ _ _ F E).
Qed.

Lemma scaled_ok k x f : means x f -> means (x * IZR k) (scaled k f).
Proof.
  unfold means, scaled. simpl. intros [D ->]. rewrite pmul_ok, pconst_ok. split; [exact D|]. unfold Q2R. simpl.
  field. exact D.
Qed.

Lemma raised_to_ok k x f g :
  means x f -> x <> 0 \/ (0 <= k)%Z -> raised_to k f = Some g -> means (power x k) g.
Proof.
  intros M N H. destruct k; simpl in H; run.
  - rewrite power_pos. apply fpow_ok. exact M.
  - rewrite power_neg, <- pow_inv. apply fpow_ok, inverse_ok; [exact M|]. destruct M as [D E]. destruct N as [N|N]; [|lia].
    intro Z. apply N. rewrite E, Z. unfold Rdiv. ring.
Qed.

Lemma exp_multiple a k : exp (a * IZR k) = power (exp a) k.
Proof.
  assert (N : forall n, exp (a * INR n) = exp a ^ n).
  { induction n as [|n IH]; [simpl; rewrite Rmult_0_r; apply exp_0|].
    rewrite S_INR, Rmult_plus_distr_l, Rmult_1_r, exp_plus, IH. simpl. ring. }
  destruct k.
  - simpl. rewrite Rmult_0_r. apply exp_0.
  - rewrite power_pos, <- N, INR_IPR. reflexivity.
  - rewrite power_neg, <- N, INR_IPR, <- exp_Ropp. f_equal. change (IZR (Zneg p)) with (- IPR p). ring.
Qed.

Lemma ln_power x k : 0 < x -> ln (power x k) = ln x * IZR k.
Proof. intros H. rewrite <- (exp_ln x H) at 1. rewrite <- exp_multiple. apply ln_exp. Qed.

Lemma of_powers_exp s powers : sound s -> forall x added multiplied hs A M hs',
  means x added -> means (exp x) multiplied -> of_powers known gens s Exp powers added multiplied hs = Some (A, M, hs') ->
  exists y, means y A /\ means (exp y) M.
Proof.
  intros [T F]. induction powers as [|[k i] powers IH]; intros x added multiplied hs A M hs' X Y H; simpl in H.
  - run. exists x. split; assumption.
  - destruct (gen gens i) eqn:G; try discriminate H. destruct (func_eqb f Exp) eqn:E; [|discriminate H].
    apply func_eqb_ok in E. subst. destruct (frac known (table s) (facts s) f0 hs) as [[inside hs1]|] eqn:I; [|discriminate H].
    destruct (fadd added (scaled k inside) hs1) as [[added' hs2]|] eqn:S; [|discriminate H].
    destruct (raised_to k (pvar i, pone)) as [factor|] eqn:P; [|discriminate H].
    assert (J := frac_ok _ _ T F _ _ _ _ I). assert (g := generator_ok i). rewrite G in g. simpl in g.
    eapply (IH (x + ev e f0 * IZR k)); [| |exact H].
    + eapply fadd_ok; [exact X | apply scaled_ok; exact J | exact S].
    + rewrite exp_plus, exp_multiple. apply fmul_ok; [exact Y|]. eapply raised_to_ok; [exact g | left | exact P].
      apply Rgt_not_eq, exp_pos.
Qed.

Lemma positive_ok s a f : sound s -> means (ev e a) f ->
  match sign_of known a with Positive => true | _ => fact_known (facts s) (pmul (fst f) (snd f)) Gt0 end = true ->
  0 < ev e a.
Proof.
  intros [T F] M H. assert (K := sign_ok e known a valid_known).
  assert (L : fact_known (facts s) (pmul (fst f) (snd f)) Gt0 = true -> 0 < ev e a).
  { intros W. apply (numerator_ok Gt0 f _ M). exact (fact_known_ok _ _ Gt0 F W). }
  destruct (sign_of known a); auto.
Qed.

Lemma of_powers_log s powers : sound s -> forall y added multiplied hs A M hs',
  0 < y -> means (ln y) added -> means y multiplied ->
  of_powers known gens s Log powers added multiplied hs = Some (A, M, hs') ->
  exists y, means (ln y) A /\ means y M.
Proof.
  intros [T F]. induction powers as [|[k i] powers IH]; intros y added multiplied hs A M hs' L X Y H; simpl in H.
  - run. exists y. split; assumption.
  - destruct (gen gens i) eqn:G; try discriminate H. destruct (func_eqb f Log) eqn:E; [|discriminate H].
    apply func_eqb_ok in E. subst. destruct (frac known (table s) (facts s) f0 hs) as [[inside hs1]|] eqn:I; [|discriminate H].
    destruct (fadd added (scaled k (pvar i, pone)) hs1) as [[added' hs2]|] eqn:S; [|discriminate H].
    destruct (raised_to k inside) as [factor|] eqn:P; [|discriminate H].
    assert (J := frac_ok _ _ T F _ _ _ _ I). assert (g := generator_ok i). rewrite G in g. simpl in g.
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:W end; [|discriminate H].
    assert (Q := positive_ok s f0 inside (conj T F) J W).
    eapply (IH (y * power (ev e f0) k)); [| | |exact H].
    + apply Rmult_lt_0_compat; [exact L | apply power_gt; exact Q].
    + rewrite ln_mult; [|exact L | apply power_gt; exact Q]. rewrite ln_power by exact Q.
      eapply fadd_ok; [exact X | apply scaled_ok; exact g | exact S].
    + apply fmul_ok; [exact Y|]. eapply raised_to_ok; [exact J | left; lra | exact P].
Qed.

Lemma pow_strict x y n : 0 <= x < y -> x ^ S n < y ^ S n.
Proof.
  intros [H K]. simpl. assert (x ^ n <= y ^ n) by (apply pow_incr; lra). assert (0 < y ^ n) by (apply pow_lt; lra).
  apply Rle_lt_trans with (x * y ^ n); [apply Rmult_le_compat_l; assumption | apply Rmult_lt_compat_r; assumption].
Qed.

Lemma pow_injective x y n : 0 <= x -> 0 <= y -> n <> O -> x ^ n = y ^ n -> x = y.
Proof.
  intros X Y N H. destruct n as [|n]; [congruence|]. destruct (Rtotal_order x y) as [L|[E|L]]; [exfalso | exact E | exfalso].
  - assert (K := pow_strict x y n (conj X L)). lra.
  - assert (K := pow_strict y x n (conj Y L)). lra.
Qed.

Lemma root_power a k m : 0 <= a -> power (sqrt a) k ^ Pos.to_nat (2 * m) = power a (k * Zpos m).
Proof.
  intros H. assert (S : forall j, (sqrt a ^ j) ^ Pos.to_nat (2 * m) = a ^ (j * Pos.to_nat m)).
  { intros j. rewrite <- pow_mult. replace (j * Pos.to_nat (2 * m))%nat with (2 * (j * Pos.to_nat m))%nat by lia.
    rewrite pow_mult. f_equal. simpl. rewrite Rmult_1_r. apply sqrt_sqrt. exact H. }
  destruct k as [|j|j]; simpl Z.mul.
  - simpl. apply pow1.
  - rewrite !power_pos, S, Pos2Nat.inj_mul. reflexivity.
  - rewrite !power_neg, pow_inv, S, Pos2Nat.inj_mul. reflexivity.
Qed.

Lemma is_so_ok r t : is_so known r t = true -> compare r (ev e t) 0.
Proof.
  unfold is_so. intros H. apply orb_prop in H. destruct H as [H|H]; [exact (is_known_ok e r t known valid_known H)|].
  assert (K := sign_ok e known t valid_known). destruct r, (sign_of known t); try discriminate H; simpl in *; lra.
Qed.

Lemma so_or_fact_ok s r a f : sound s -> means (ev e a) f -> numerator r f = pmul (fst f) (snd f) ->
  is_so known r a || fact_known (facts s) (pmul (fst f) (snd f)) r = true -> compare r (ev e a) 0.
Proof.
  intros [T F] M N H. apply orb_prop in H. destruct H as [H|H]; [exact (is_so_ok r a H)|].
  apply (numerator_ok r f _ M). rewrite N. exact (fact_known_ok _ _ r F H).
Qed.

Lemma root_ok s a k f n d m other times items : sound s -> means (ev e a) f ->
  match k with
  | Zpos _ => is_so known Ge0 a || fact_known (facts s) (pmul (fst f) (snd f)) Ge0
  | _ => is_so known Gt0 a || fact_known (facts s) (pmul (fst f) (snd f)) Gt0
  end = true ->
  fact_known (facts s) d Ne0 = true -> fact_known (facts s) (pmul n d) Ge0 = true ->
  raised_to (k * Zpos m) f = Some other -> equal s (fpow (n, d) (2 * m)) other times items = true ->
  means (power (sqrt (ev e a)) k) (n, d).
Proof.
  intros S M may D N P E.
  assert (A : 0 <= ev e a /\ (ev e a <> 0 \/ (0 <= k * Zpos m)%Z)).
  { destruct k; try (assert (L := so_or_fact_ok s Gt0 a f S M eq_refl may); simpl in L; split; [lra | left; lra]).
    split; [exact (so_or_fact_ok s Ge0 a f S M eq_refl may) | right; lia]. }
  destruct A as [A B]. assert (F := proj2 S).
  assert (D' := fact_known_ok _ _ Ne0 F D). assert (N' := fact_known_ok _ _ Ge0 F N). simpl in D', N'.
  assert (Y : means (peval l n / peval l d) (n, d)) by (split; [exact D' | reflexivity]).
  assert (Q := equal_ok s _ _ _ _ times items S (fpow_ok _ _ (2 * m) Y) (raised_to_ok _ _ _ _ M B P) E).
  rewrite <- root_power in Q by exact A.
  split; [exact D'|]. simpl. symmetry. apply (pow_injective _ _ (Pos.to_nat (2 * m))); [| |lia|exact Q].
  - apply (times_gt (peval l n) (peval l d) D'). rewrite <- pmul_ok. exact N'.
  - apply power_ge, sqrt_pos.
Qed.

Lemma other_ok f t x opposite : negb opposite || is_odd f || is_even f = true -> ev e t = (if opposite then - x else x) ->
  ev e (Fun f t) = if opposite && is_odd f then - apply f x else apply f x.
Proof.
  intros H E. cbn [ev]. rewrite E. destruct opposite; [|reflexivity].
  destruct f; try discriminate H; simpl; auto using sin_neg, cos_neg, asin_opp, atan_opp, Rabs_Ropp.
Qed.

Lemma own_demand_ok t r a : own_demand t = Some (r, a) -> is_so known r a = true -> compare r (ev e a) 0.
Proof. intros _. apply is_so_ok. Qed.

Lemma exponential_sign p u r : r = Gt0 \/ r = Ge0 -> compare r (p * u) 0 -> compare r (p * (exp u - 1)) 0.
Proof.
  intros R H. assert (S : forall u, 0 < u -> 0 < exp u - 1).
  { intros v V. assert (K := exp_increasing 0 v V). rewrite exp_0 in K. lra. }
  assert (S' : forall u, u < 0 -> exp u - 1 < 0).
  { intros v V. assert (K := exp_increasing v 0 V). rewrite exp_0 in K. lra. }
  destruct (Rtotal_order u 0) as [U|[U|U]].
  - assert (K := S' u U). destruct R as [->| ->]; simpl in *.
    + destruct (Rle_lt_dec 0 p); nra.
    + destruct (Rle_lt_dec 0 p) as [P|P]; [|nra]. destruct P as [P| <-]; nra.
  - subst. rewrite exp_0 in *. destruct R as [->| ->]; simpl in *; lra.
  - assert (K := S u U). destruct R as [->| ->]; simpl in *; [destruct (Rle_lt_dec p 0); nra|].
    destruct (Rle_lt_dec 0 p) as [P|P]; [apply Rmult_le_pos; lra | nra].
Qed.

Lemma zero_ok : means 0 (pconst 0, pone).
Proof. unfold means. simpl. rewrite pone_ok, pconst_ok, Q2R_is_0. split; [lra | field]. Qed.
Lemma one_ok : means 1 (pone, pone).
Proof. unfold means. simpl. rewrite pone_ok. split; [lra | field]. Qed.

Lemma take_ok s st s' : sound s -> take known gens s st = Some s' -> sound s'.
Proof.
  intros S H. assert (S' := S). destruct S' as [T F].
  assert (fraction_ok : forall t hs f hs', frac known (table s) (facts s) t hs = Some (f, hs') -> means (ev e t) f).
  { intros t hs f hs'. apply frac_ok; assumption. }
  destruct st; cbn [take] in H.
  - run. apply learn_ok; [exact S | apply generator_ok].
  - destruct (frac known (table s) (facts s) t (hints s)) as [[argument hs]|] eqn:A; [|discriminate H].
    destruct (of_powers _ _ _ _ _ _ _ _) as [[[added multiplied] hs']|] eqn:P; [|discriminate H].
    destruct (equal _ _ _ _ _) eqn:E; run. apply learn_ok; [exact S|].
    assert (O := one_ok). rewrite <- exp_0 in O.
    destruct (of_powers_exp s powers S 0 _ _ _ _ _ _ zero_ok O P) as [y [Y M]].
    simpl. rewrite (equal_ok s _ _ _ y times l0 S (fraction_ok _ _ _ _ A) Y E : ev e t = y). exact M.
  - destruct (frac known (table s) (facts s) t (hints s)) as [[argument hs]|] eqn:A; [|discriminate H].
    destruct (of_powers _ _ _ _ _ _ _ _) as [[[added multiplied] hs']|] eqn:P; [|discriminate H].
    destruct (equal _ _ _ _ _) eqn:E; run. apply learn_ok; [exact S|].
    assert (O := zero_ok). rewrite <- ln_1 in O.
    destruct (of_powers_log s powers S 1 _ _ _ _ _ _ Rlt_0_1 O one_ok P) as [y [Y M]].
    simpl. rewrite (equal_ok s _ _ _ y times l0 S (fraction_ok _ _ _ _ A) M E : ev e t = y). exact Y.
  - destruct (frac known (table s) (facts s) a (hints s)) as [[f hs]|] eqn:A; [|discriminate H].
    destruct (raised_to (k * Z.pos m) f) as [other|] eqn:P; [|discriminate H].
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:W end; [|discriminate H]. run.
    apply learn_ok; [exact S|]. simpl. eapply root_ok; eauto.
  - destruct (frac known (table s) (facts s) t (hints s)) as [[argument hs]|] eqn:A; [|discriminate H].
    destruct (gen gens k) as [| | | | | | | |g a] eqn:G; try discriminate H.
    destruct (frac known (table s) (facts s) a hs) as [[other hs']|] eqn:B; [|discriminate H].
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:W end; [|discriminate H].
    apply andb_prop in W. destruct W as [W E]. apply andb_prop in W. destruct W as [P W]. apply func_eqb_ok in P. subst g.
    injection H as <-. apply learn_ok; [exact S|]. assert (N := fraction_ok _ _ _ _ B).
    assert (M : means (if opposite then - ev e a else ev e a) (if opposite then fneg other else other)).
    { destruct opposite; [apply fneg_ok|]; exact N. }
    rewrite (other_ok f t (ev e a) opposite W (equal_ok s _ _ _ _ times l0 S (fraction_ok _ _ _ _ A) M E)).
    assert (K := generator_ok k). rewrite G in K. destruct (opposite && is_odd f); [|exact K].
    exact (fneg_ok _ _ K).
  - destruct (nth_error known k) as [[[r a] b]|] eqn:K; [|discriminate H].
    destruct (difference known s a b (hints s)) as [[f hs]|] eqn:D; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. apply (numerator_ok r f _ (difference_ok _ _ _ _ _ _ S D)). apply of_difference.
    exact (in_valid e known (r, a, b) valid_known (nth_error_In _ _ K)).
  - destruct (own_demand t) as [[r a]|] eqn:O; [|discriminate H]. destruct (is_so known r a) eqn:K; [|discriminate H].
    destruct (frac known (table s) (facts s) a (hints s)) as [[f hs]|] eqn:A; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. apply (numerator_ok r f _ (fraction_ok _ _ _ _ A)). exact (is_so_ok r a K).
  - destruct (frac known (table s) (facts s) t (hints s)) as [[f hs]|] eqn:A; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. exact (proj1 (fraction_ok _ _ _ _ A)).
  - assert (K := sign_ok e known (gen gens k) valid_known). rewrite <- gen_ok in K.
    destruct (sign_of known (gen gens k)), strict; run; apply add_fact_ok; try exact S; simpl in *; lra.
  - destruct (gen gens k) eqn:G; try discriminate H. destruct k0 as [|[| |]|]; try discriminate H.
    destruct (frac known (table s) (facts s) f (hints s)) as [[q hs]|] eqn:A; [|discriminate H].
    match type of H with (if ?b then _ else _) = _ => destruct b eqn:W end; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. assert (M := fraction_ok _ _ _ _ A).
    assert (P := so_or_fact_ok s Ge0 f q S M eq_refl W). simpl in P.
    simpl. rewrite psub_ok, pmul_ok, ppow_ok, gen_ok, G. destruct M as [D M]. simpl.
    rewrite Rmult_1_r, sqrt_sqrt by exact P. rewrite M. field. exact D.
  - run. apply add_fact_ok; [exact S|]. simpl. rewrite pmul_ok. apply Rle_0_sqr.
  - destruct (product (facts s) ks) as [g|] eqn:P; [|discriminate H].
    destruct (relation_of g) as [r|] eqn:R; [|discriminate H].
    destruct (implies r Ne0 && peq (pmul p q) (value g)) eqn:W; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. apply (peq_ok l) in H0. rewrite pmul_ok in H0.
    assert (K := implies_ok _ _ _ _ H (relation_of_ok _ _ _ (product_ok _ _ _ F P) R)). simpl in K |- *.
    intro E. apply K. rewrite <- H0, E. ring.
  - destruct (frac known (table s) (facts s) t (hints s)) as [[inside hs]|] eqn:A; [|discriminate H].
    destruct (frac known (table s) (facts s) (Fun Exp t) hs) as [[whole hs']|] eqn:B; [|discriminate H].
    destruct (shown _ _ _ _) as [r|] eqn:W; [|discriminate H].
    assert (R : r = Gt0 \/ r = Ge0) by (destruct r; try discriminate H; auto).
    assert (Q : add_fact s (pmul p (pmul (psub (fst whole) (snd whole)) (snd whole))) r hs' = s').
    { destruct r; try discriminate H; injection H; trivial. }
    subst s'. apply add_fact_ok; [exact S|]. assert (K := shown_ok _ _ _ _ _ F W). rewrite !pmul_ok in K |- *.
    destruct (fraction_ok _ _ _ _ A) as [D M]. destruct (fraction_ok _ _ _ _ B) as [C N]. simpl in N.
    rewrite psub_ok. assert (L := exponential_sign (peval l p) (ev e t) r R).
    assert (X : 0 < peval l (snd inside) * peval l (snd inside)) by nra.
    assert (Y : 0 < peval l (snd whole) * peval l (snd whole)) by nra.
    replace (peval l p * ((peval l (fst whole) - peval l (snd whole)) * peval l (snd whole)))
      with (peval l p * (exp (ev e t) - 1) * (peval l (snd whole) * peval l (snd whole))) by (rewrite N; field; exact C).
    replace (peval l p * (peval l (fst inside) * peval l (snd inside)))
      with (peval l p * ev e t * (peval l (snd inside) * peval l (snd inside))) in K by (rewrite M; field; exact D).
    assert (Z : compare r (peval l p * ev e t) 0).
    { destruct R as [->| ->]; simpl in K |- *;
        [destruct (Rle_lt_dec (peval l p * ev e t) 0) | destruct (Rle_lt_dec 0 (peval l p * ev e t))]; nra. }
    specialize (L Z). destruct R as [->| ->]; simpl in L |- *; [apply Rmult_lt_0_compat | apply Rmult_le_pos]; lra.
  - destruct (shown (facts s) p times l0) as [r|] eqn:W; [|discriminate H]. run.
    apply add_fact_ok; [exact S|]. exact (shown_ok _ _ _ _ _ F W).
  - destruct (sum (facts s) l0) as [[p rs]|] eqn:W; [|discriminate H].
    destruct (of_relations rs) as [r|] eqn:R; [|discriminate H]. run. apply add_fact_ok; [exact S|].
    exact (of_relations_ok _ _ _ R (sum_ok _ _ _ _ F W)).
Qed.

Lemma take_all_ok steps : forall s s', sound s -> take_all known gens s steps = Some s' -> sound s'.
Proof.
  induction steps as [|st steps IH]; simpl; intros s s' S H; [run; exact S|].
  destruct (take known gens s st) as [s1|] eqn:K; [|discriminate H]. exact (IH _ _ (take_ok _ _ _ S K) H).
Qed.

Theorem proves_ok hs steps times items r a b :
  proves known gens hs steps times items r a b = true -> compare r (ev e a) (ev e b).
Proof.
  intros H. unfold proves in H. destruct (take_all _ _ _ _) as [s|] eqn:K; [|discriminate H].
  assert (B : sound {| table := []; facts := []; hints := hs |}) by (split; simpl; constructor).
  assert (S := take_all_ok steps _ _ B K).
  destruct (difference known s a b (hints s)) as [[f hs']|] eqn:D; [|discriminate H].
  destruct (shown _ _ _ _) as [k|] eqn:W; [|discriminate H]. apply of_difference.
  apply (numerator_ok r f _ (difference_ok _ _ _ _ _ _ S D)).
  exact (implies_ok _ _ _ _ H (shown_ok _ _ _ _ _ (proj2 S) W)).
Qed.

End Sound.

(* A relation between two formulas, wherever what is known holds. *)
Theorem confirm e known gens hs steps times items r a b :
  all_valid e known ->
  proves (map prepare known) gens hs steps times items r (prepared a) (prepared b) = true ->
  compare r (ev e a) (ev e b).
Proof.
  intros V H. rewrite <- (prepared_ok e a), <- (prepared_ok e b).
  exact (proves_ok e _ gens (prepare_ok e known V) hs steps times items r _ _ H).
Qed.
