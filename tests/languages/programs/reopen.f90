! Fortran: POSITION='APPEND' per record.
!: file a.tr managed opens=1000 real_opens<=2
!: calls a.tr <= 2020
program main
  implicit none
  integer :: i
  do i = 0, 999
    open (unit=10, file='a.tr', position='append', action='write')
    write (10, '(I6,F12.5,A)') i, i / 7.0, ' record'
    close (10)
  end do
end program main
